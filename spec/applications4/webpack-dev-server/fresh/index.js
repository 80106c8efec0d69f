document.title = 'hello';
