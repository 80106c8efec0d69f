/** What the generated applications of Express 4 and 3 cannot use. */
import type { PathSpec, Program, Series, Statement, Step } from '../../parity/programs/program';

interface Lacks {
  /** Members of a request, a response or an application that the series does not have. */
  readonly request: readonly string[];
  readonly response: readonly string[];
  readonly application: readonly string[];
}

/** Members of requests that 3.x alone has. */
const REQUEST_3 = ['accepted', 'acceptedCharsets', 'acceptedEncodings', 'acceptedLanguages', 'auth'];
/** Members of requests that 5.x removed. */
const REQUEST_4 = ['param', 'acceptsCharset', 'acceptsEncoding', 'acceptsLanguage'];

const LACKS: Readonly<Record<Series, Lacks>> = {
  5: { request: [...REQUEST_3, ...REQUEST_4], response: ['sendfile'], application: ['del', 'configure'] },
  4: { request: REQUEST_3, response: [], application: ['configure'] },
  3: {
    request: ['acceptsCharsets', 'acceptsEncodings', 'acceptsLanguages', 'hostname', 'baseUrl'],
    response: ['sendFile', 'sendStatus', 'append', 'appendHeader', 'setHeaders'],
    // `app.route` is the mount path, and each application has its own copy of the other members.
    application: ['route', 'init', 'defaultConfiguration', 'handle'],
  },
};

/** Returns the application without the members and statements that the series does not have. */
export function toSeries(program: Program, series: Series): Program {
  const lacks = LACKS[series];

  function statement(each: Statement): readonly Statement[] {
    const changed = withSteps(each as unknown as Json, lacks) as unknown as Statement;
    if ('mount' in changed) {
      const { mount, path } = changed;
      const inner = { ...mount, build: mount.build.flatMap(statement) };
      return [
        series === 3
          ? { mount: { ...inner, kind: 'application' }, path: mountPath(path) }
          : { ...changed, mount: inner },
      ];
    }
    if (series === 3) return toExpress3(changed);
    return ['example' in changed ? { example: series } : changed];
  }

  const { build, listeners, actions } = series === 3 ? withoutPromises(program) : program;
  return {
    build: build.flatMap(statement),
    listeners: withSteps(listeners as unknown as Json, lacks) as unknown as Program['listeners'],
    actions: actions.flatMap((each): Program['actions'] => ('send' in each ? [each] : statement(each))),
  };
}

/** Express 3 ignores promises of handlers, and this build passes their rejections to `next` by decision. */
function withoutPromises(program: Program): Program {
  const text = JSON.stringify(program);
  return JSON.parse(
    text.replaceAll('"later":"promise"', '"later":"nextTick"').replaceAll('"async":true', '"async":false'),
  ) as Program;
}

/** An application of 3.x has no chained routes, and takes one function for each `use`. */
function toExpress3(each: Statement): readonly Statement[] {
  if ('use' in each)
    return each.use.map((handler) => ({ ...each, use: [handler], path: mountPath(each.path) }));
  if ('route' in each) return [{ ...each, chain: false }];
  // `static` and the parsers equal those of 5.x by decision, and the example calls members of 5.x.
  return 'files' in each || 'parser' in each || 'example' in each ? [] : [each];
}

function mountPath(path: PathSpec | undefined): string | undefined {
  return typeof path === 'string' || path === undefined ? path : '/s';
}

type Json = { readonly [name: string]: Json } | readonly Json[] | string | number | boolean | null;

/** Drops the steps that use a member which the series does not have. */
function withSteps(value: Json, lacks: Lacks): Json {
  if (Array.isArray(value))
    return value.filter((each) => !isLacking(each as Step, lacks)).map((each) => withSteps(each, lacks));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [
      name,
      name === 'mount' ? each : withSteps(each, lacks),
    ]),
  );
}

function isLacking(step: Step, lacks: Lacks): boolean {
  const { call, read, assign, remove, override, accessor } = Object(step) as Record<string, unknown>;
  const place = call ?? read ?? assign ?? remove ?? override ?? accessor;
  if (typeof place !== 'string') return false;
  const names = place.split('.');
  const name = names.pop() as string;
  const owner = names.join('.');
  if (/(?:\breq|request|IncomingMessage\.prototype)$/.test(owner)) return lacks.request.includes(name);
  if (/(?:\bres|response|(?:Server|Outgoing)\w+\.prototype)$/.test(owner))
    return lacks.response.includes(name);
  return /(?:\bapp\d?|application)$/.test(owner) && lacks.application.includes(name);
}
