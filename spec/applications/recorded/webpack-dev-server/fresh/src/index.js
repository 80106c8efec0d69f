document.body.append('made by webpack');
