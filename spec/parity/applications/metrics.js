// Responds with metrics of its process.
const { PerformanceObserver } = require('node:perf_hooks');
const v8 = require('node:v8');
const app = require('express')();

let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] });
app.get('/', (_req, res) => {
  for (let index = 0; index < 2e5; index++) Array.from({ length: 20 });
  setTimeout(() => {
    const heap = [v8.getHeapStatistics(), v8.getHeapSpaceStatistics()];
    res.json({ collections, memory: process.memoryUsage(), resident: process.memoryUsage.rss(), heap });
  }, 10);
});
app.listen(3000);
