import { expect } from 'chai';
import { toCharts } from '../../scripts/bench/charts';
import type { Results } from '../../scripts/bench/results';

const figure = (ratio: number) => ({
  cpu: 10 / ratio,
  throughput: 1000,
  ratio,
  quartiles: [ratio - 0.1, ratio + 0.1] as [number, number],
});
const RESULTS: Results = {
  node: '24.0.0',
  versions: {},
  command: 'npm run bench -- http',
  machine: 'A & B',
  rows: {
    hello: {
      about: 'a <short> text',
      base: 'bare',
      drift: 0.01,
      void: false,
      notes: {},
      figures: { bare: figure(1), 'bare again': figure(0.99), express: figure(0.5), nozomi: figure(0.8) },
    },
    'post-1k': {
      about: 'a body',
      base: 'bare',
      drift: 0.2,
      void: true,
      notes: {},
      figures: { bare: figure(1), nozomi: figure(0.9) },
    },
  },
};

describe('npm run bench -- http, the charts', () => {
  it('have a title, one for each measured group', () => {
    const charts = toCharts(RESULTS);

    expect([...charts.keys()]).to.deep.equal(['bench-1-answers.svg', 'bench-2-bodies.svg']);
    for (const svg of charts.values()) expect(svg).to.match(/^<svg [^>]*>\n<title>\w.*<\/title>/);
  });

  it('show the fastest framework first, with figures, and without the second copy of bare', () => {
    const words = wordsOf(toCharts(RESULTS).get('bench-1-answers.svg'));

    // biome-ignore format: a table
    expect(words.slice(2)).to.deep.equal([
      'a &lt;short> text',
      'bare', '1.00', 'nozomi', '0.80', 'express', '0.50',
    ]);
  });

  it('mark an invalid workload', () => {
    expect(wordsOf(toCharts(RESULTS).get('bench-2-bodies.svg'))).to.include('a body — void, too noisy');
  });

  it('contain no code and no links, and escape texts', () => {
    const svg = [...toCharts(RESULTS).values()].join('');

    expect(svg).not.to.match(/<script|<style|<foreignObject|\son\w+=|href=|url\(/i);
    expect(svg).to.contain('Node.js 24.0.0, A &amp; B');
  });
});

function wordsOf(svg = ''): string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, words = '']) => words);
}
