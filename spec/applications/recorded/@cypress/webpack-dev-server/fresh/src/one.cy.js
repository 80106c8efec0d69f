document.body.append('a component');
