const { create, defaults, rewriter, router } = require('./package/');

const db = {
  posts: Array.from({ length: 12 }, (_, i) => ({
    id: i + 1,
    title: `post ${i + 1}`,
    author: i % 2 ? 'Ada' : 'Bob',
  })),
  comments: [{ id: 1, body: 'some', postId: 1 }],
  profile: { name: 'typicode' },
};
const app = create();
app.use(defaults({ logger: false }));
app.use(rewriter({ '/api/*': '/$1', '/blog/:id': '/posts/:id' }));
app.use(router(db));
app.listen(3000);
