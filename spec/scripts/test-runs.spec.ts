/** The runs of `npm test`: `--all` runs everything, and each shorter run is a part of the longer one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TRANSPORTS, transportsNamed } from '../../parity/transports/transport';
import { GROUPS } from '../../scripts/groups';
import { chooseReached } from '../../scripts/test/changed';
import { chooseSteps } from '../../scripts/test/choose';
import { chosenBy } from '../../scripts/test/scenarios';
import { type Run, STAGES, testsBuild } from '../../scripts/test/stages';

const ROOT = join(__dirname, '..', '..');
/** All spec files, sorted. Those of published applications and packages run in other ways. */
const FILES = readdirSync(join(ROOT, 'spec'), { recursive: true, encoding: 'utf8' })
  .map((file) => `spec/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.spec.ts') && !/^spec\/(applications|ecosystem)\//.test(file))
  .sort();
const STEPS = STAGES.flatMap(({ steps }) => steps);

/** Commands that judge nothing: they measure, or write what other commands check. */
const JUDGE_NOTHING = new Set([
  'bench gain',
  'bench http',
  'bench http2',
  'bench recorder',
  'bench service',
  'generate corpus',
  'generate express4-requests',
]);

/** Options that leave out a part of what a command tests, each with whether the first value leaves out no less. */
const LIMITS: Readonly<Record<string, (shorter: string, longer: string) => boolean>> = {
  '--sample': () => true,
  '--newest': () => true,
  '--workloads': () => true,
  '--section': (shorter, longer) => shorter === longer,
  '--circumstance': (shorter, longer) =>
    longer === 'all' || shorter.split(',').every((name) => longer.split(',').includes(name)),
  '--shard': (shorter, longer) => {
    const [[k = 0, n = 0] = [], [of = 0, ofN = 0] = []] = [shorter, longer].map((part) =>
      part.split('/').map(Number),
    );
    return n % ofN === 0 && k % ofN === of % ofN;
  },
};

describe('the runs of npm test', () => {
  it('are no more than fifteen stages, whose steps have different names', () => {
    expect(STAGES.length).to.be.at.most(15);
    expect(new Set(STEPS.map(({ name }) => name)).size).to.equal(STEPS.length);
  });

  it('with --all run every spec file, and each once', () => {
    // These steps run a spec once more: with more random pairs, with each name alone, and with the build.
    const repeats = ['routing', 'pollution', 'spec-build'];
    expect(specsOf('all', ({ name }) => !repeats.includes(name))).to.deep.equal(FILES);
  });

  it('with --all also run the specs and scenarios of the sources with the build', () => {
    const ofBuild = STEPS.filter(({ commands }) => /^TESTED=build mocha /.test(commands.all));
    const played = specsOf('all', ({ name }) => ofBuild.some((step) => step.name === name));

    expect(played).to.deep.equal(FILES.filter((file) => !testsBuild(file)));
    // Without options, the command plays all scenarios with the build and with Express.
    expect(chooseSteps('all', ['parity']).map(({ command }) => command)).to.include(
      'node --require tsx/cjs parity/command/run.ts',
    );
  });

  for (const [shorter, longer] of [
    ['quick', 'ci'],
    ['ci', 'all'],
  ] as const) {
    it(`${shorter} is a part of ${longer}`, () => {
      const later = new Set(specsOf(longer));
      expect(specsOf(shorter).filter((file) => !later.has(file))).to.deep.equal([]);

      const commands = new Map(chooseSteps(longer, []).map(({ name, command }) => [name, command]));
      for (const { name, command } of chooseSteps(shorter, []))
        if (!isMocha(command))
          expect(isPart(command, commands.get(name) ?? ''), `${name}: ${command}`).to.equal(true);
    });
  }

  it('with --all run every command that judges something', () => {
    const commands = chooseSteps('all', []).map(({ command }) => command);
    const played = commands.flatMap((command) => /scripts\/group\.ts (\S+ \S+)/.exec(command)?.[1] ?? []);
    const known = Object.entries(GROUPS).flatMap(([group, some]) =>
      Object.keys(some).map((name) => `${group} ${name}`),
    );

    expect(known.filter((name) => !JUDGE_NOTHING.has(name) && !played.includes(name))).to.deep.equal([]);
    expect([...JUDGE_NOTHING].filter((name) => !known.includes(name) || played.includes(name))).to.deep.equal(
      [],
    );
  });

  it('with --all play every transport, server and circumstance', () => {
    const commands = chooseSteps('all', []).map(({ command }) => command);
    const played = commands.flatMap((command) => {
      const [, transports, servers] = /--transport (\S+) --server (\S+)$/.exec(command) ?? [];
      return transports && servers ? transportsNamed(transports, servers) : [];
    });

    // The comparison with Express plays `listen`, which is the baseline of the other transports.
    expect([...TRANSPORTS].filter((one) => one !== 'listen' && !played.includes(one))).to.deep.equal([]);
    expect(commands.some((command) => /--circumstance all /.test(command))).to.equal(true);
  });

  it('choose stages and steps by name, and reject other names', () => {
    const names = (...given: string[]) => chooseSteps('quick', given).map(({ name }) => name);

    expect(names('rules')).to.deep.equal(['words', 'casts', 'request-path', 'clauses']);
    expect(names('casts', 'lint')).to.deep.equal(['lint', 'casts']);
    expect(names('cluster')).to.deep.equal(['cluster']);
    expect(() => names('no-such-thing'.toUpperCase())).to.throw(
      /^expected stages, steps, clauses,.* got "NO-SUCH-THING"/,
    );
  });
});

function isMocha(command: string): boolean {
  return /^(\w+=\S+ |nyc )?mocha /.test(command);
}

/** The spec files that the commands of a run name, sorted. A file that two commands run is there twice. */
function specsOf(run: Run, isCounted: (step: { name: string }) => boolean = () => true): string[] {
  return chooseSteps(run, [])
    .filter((step) => isCounted(step) && isMocha(step.command))
    .flatMap(({ command }) => {
      const [chosen = '', ignored = ''] = command.split(' --ignore ');
      const left = new Set(patternsIn(ignored).flatMap(filesOf));
      return patternsIn(chosen)
        .flatMap(filesOf)
        .filter((file) => !left.has(file));
    })
    .sort();
}

function patternsIn(text: string): string[] {
  return text.match(/spec\/[^"\s,{}]+\.spec\.ts/g) ?? [];
}

/** @param pattern A file, or with `**` all below a folder. */
function filesOf(pattern: string): string[] {
  const [start = '', isFolder] = pattern.split('**');
  return FILES.filter((file) => (isFolder === undefined ? file === start : file.startsWith(start)));
}

describe('npm test --', () => {
  it('NAME chooses the specs and scenarios of a clause, a path or a name', () => {
    const chosen = (name: string) => chooseSteps('quick', [name])[0]?.command.split(' ').slice(2);

    expect(chosen('4.4-range.spec')).to.deep.equal(['spec/4-endpoints/4.4-range.spec.ts']);
    expect(chosen('E4-E16')).to.deep.equal(['spec/9-express4/range-size.spec.ts']);
    expect(chosen('F-4.5-85')).to.deep.equal(['spec/scenarios.spec.ts']);
    expect(chosen('the demo serves every page')).to.deep.equal(['spec/scenarios.spec.ts']);
    expect(chosenBy(['the demo serves every page']).map(({ id }) => id)).to.deep.equal([
      'demo/demo: the demo serves every page',
    ]);
    expect(chosenBy(['F-4.5-85']).every(({ scenario }) => scenario.clauses.includes('F-4.5-85'))).to.equal(
      true,
    );
  });

  it('--changed chooses what imports a file, or proves its sections', async () => {
    const chosen = async (file: string) => {
      const steps = await chooseReached([file]);
      const [specs, scenarios] = ['specs', 'scenarios'].map((name) =>
        steps.find((step) => step.name === name),
      );
      return { specs: specs?.command.split(' ').slice(1) ?? [], scenarios: scenarios?.env?.SCENARIOS };
    };
    const format = await chosen('src/response/format.ts');
    const hints = await chosen('src/response/early-hints.ts');
    const uploads = await chosen('spec/support/uploads.ts');

    expect(format.specs).to.include('spec/4-endpoints/4.5-drop-in.spec.ts');
    expect(format.specs).not.to.include('spec/security/bounds.spec.ts');
    expect(format.scenarios).to.contain('4-endpoints/4.5-format');
    // It has no section, but src/response/response.ts imports it.
    expect(hints.scenarios).to.contain('2-resources/2.7-response');
    expect(uploads.specs).to.include('spec/9-express3/middleware/9.3-uploads.spec.ts');
    expect(await chosen('README.md')).to.deep.equal({ specs: [], scenarios: undefined });
  });
});

/** Whether a command tests a part of what another one does, or the same. */
function isPart(shorter: string, longer: string): boolean {
  const [left, right] = [shorter, longer].map(splitLimits) as [Limited, Limited];
  return (
    left.command === right.command &&
    [...right.limits].every(([name, value]) => {
      const given = left.limits.get(name);
      return given !== undefined && LIMITS[name]?.(given, value);
    })
  );
}

interface Limited {
  readonly command: string;
  readonly limits: ReadonlyMap<string, string>;
}

/** Separates a command from the options that limit it. */
function splitLimits(command: string): Limited {
  const limits = new Map<string, string>();
  const pattern = new RegExp(` (${Object.keys(LIMITS).join('|')})(?: (?!--)(\\S+))?`, 'g');
  const rest = command.replace(pattern, (_, name: string, value = '') => {
    limits.set(name, value);
    return '';
  });
  return { command: rest, limits };
}
