console.log('hello from webpack');
