import { bench } from './http/bench';

bench(process.argv.slice(2)).catch((err) => {
  console.error(`bench: ${err.message}`);
  process.exit(1);
});
