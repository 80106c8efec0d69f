/**
 * Decides whether one layer matches every path that another layer matches, without sending requests.
 *
 * The paths of a layer are described by shapes, which are sequences of path segments. The `exact` shapes contain only
 * paths that the layer matches. The `all` shapes together contain every path that the layer matches. A layer covers
 * another layer if its `exact` shapes contain each of the other's `all` shapes.
 */
import { parse, type Token } from 'path-to-regexp';
import type { AnyLayer, Series } from './registrations';
import { type LiveNode, pathOf } from './tree';

/** The part of a path between two slashes. */
interface Segment {
  /** The literal text; undefined if the segment contains a parameter. */
  readonly text: string | undefined;
  /** Whether the router distinguishes upper and lower case. */
  readonly isSensitive: boolean;
}

/** A set of paths with the same segments. The first segment is empty: it is the text before the first slash. */
export interface Shape {
  readonly segments: readonly Segment[];
  /**
   * What follows the segments:
   * - `closed`: nothing, or one slash
   * - `open`: nothing, or any number of segments
   * - `rest`: a slash and more text
   */
  readonly end: 'closed' | 'open' | 'rest';
}

export interface Shapes {
  readonly exact: readonly Shape[];
  readonly all: readonly Shape[];
  /** Whether the `all` shapes end at a mount path, where paths of mounted layers follow; false if not known. */
  readonly isMount: boolean;
}

const EVERYTHING: Shape = { segments: [], end: 'open' };
const UNKNOWN: Shapes = { exact: [], all: [EVERYTHING], isMount: false };

/** Returns the shapes of a node's full path, which includes the paths of all routers around the node. */
export function shapesOf(node: LiveNode): Shapes {
  const { parent, layer } = node;
  if (!parent || !layer) return { exact: [EVERYTHING], all: [EVERYTHING], isMount: true };
  // Shapes cannot express that a strict router distinguishes a trailing slash.
  if (parent.router?.strict) return { ...UNKNOWN, all: shapesOf(parent).all };
  const own = shapesOfLayer(
    layer,
    node.kind !== 'route',
    Boolean(parent.router?.caseSensitive),
    parent.series,
  );
  const outer = shapesOf(parent);
  return {
    exact: outer.exact.flatMap((before) => own.exact.flatMap((after) => joined(before, after) ?? [])),
    all: outer.all.flatMap((before) =>
      own.all.flatMap((after) => (outer.isMount ? (joined(before, after) ?? before) : before)),
    ),
    isMount: outer.isMount && own.isMount,
  };
}

/** Whether the first layer certainly matches every path that the second can match. */
export function covers({ exact }: Shapes, { all }: Shapes): boolean {
  return all.length > 0 && all.every((shape) => exact.some((one) => contains(one, shape)));
}

/** Whether no path can match both nodes, because the literal text of a segment differs. */
export function areDisjoint(one: LiveNode, other: LiveNode): boolean {
  const differ = ({ segments }: Shape, { segments: others }: Shape): boolean =>
    segments.some(({ text }, index) => {
      const second = others[index]?.text;
      return text !== undefined && second !== undefined && text.toLowerCase() !== second.toLowerCase();
    });
  const { all } = shapesOf(other);
  return shapesOf(one).all.every((shape) => all.every((second) => differ(shape, second)));
}

/** Returns example paths that have this shape, to use as request targets. */
export function examplesOf({ segments, end }: Shape): string[] {
  const paths = ['x7', '42'].map((text) => segments.map((segment) => segment.text ?? text).join('/') || '/');
  return end === 'closed' ? paths : [...paths, ...paths.map((path) => `${path.replace(/\/$/, '')}/y`)];
}

function contains(outer: Shape, inner: Shape): boolean {
  const { length } = outer.segments;
  const isPrefix = outer.segments.every((segment, index) => {
    const other = inner.segments[index];
    return other !== undefined && isWithin(other, segment);
  });
  if (!isPrefix) return false;
  if (outer.end === 'closed') return inner.end === 'closed' && inner.segments.length === length;
  if (outer.end === 'open') return true;
  return inner.segments.length > length && inner.segments[length]?.text !== '';
}

function isWithin(inner: Segment, outer: Segment): boolean {
  if (outer.text === undefined) return inner.text !== '';
  if (inner.text === undefined) return false;
  if (outer.isSensitive && !inner.isSensitive) return false;
  if (inner.text === outer.text) return true;
  const isAscii = /^[\x20-\x7e]*$/.test(inner.text + outer.text);
  return !outer.isSensitive && isAscii && inner.text.toLowerCase() === outer.text.toLowerCase();
}

/** Appends the shape of a layer to that of its router; undefined if the layer's path has no leading slash. */
function joined(before: Shape, after: Shape): Shape | undefined {
  if (before.segments.length === 0) return after;
  if (after.segments.length === 0) return after.end === 'open' ? before : undefined;
  const [first, ...rest] = after.segments;
  if (first?.text !== '') return undefined;
  // A route "/" in a router on "/api" matches "/api" itself.
  const isRoot = rest.length === 1 && rest[0]?.text === '' && after.end === 'closed';
  return { segments: [...before.segments, ...(isRoot ? [] : rest)], end: after.end };
}

function shapesOfLayer(layer: AnyLayer, isMount: boolean, isSensitive: boolean, series: Series): Shapes {
  const paths = [pathOf(layer)].flat(Number.POSITIVE_INFINITY);
  const each = paths.map((path): Shapes => {
    if (typeof path !== 'string') return UNKNOWN;
    if (path === '/' && isMount) return { exact: [EVERYTHING], all: [EVERYTHING], isMount: true };
    return series === '4.x'
      ? shapesOfExpress4(path, isMount, isSensitive)
      : shapesOfExpress5(path, isMount, isSensitive);
  });
  return {
    exact: each.flatMap(({ exact }) => exact),
    all: each.flatMap(({ all }) => all),
    isMount: each.every((one) => one.isMount),
  };
}

// A segment of these characters matches exactly its own text in Express 4. A dot matches only a dot.
const LITERAL = /^[\w~.@&=,;%!-]*$/;

/**
 * Returns the shapes of a path of Express 4. Exact shapes exist for parameters, literal text and a trailing `*`. For
 * any other syntax, only the segments before it are known.
 */
function shapesOfExpress4(path: string, isMount: boolean, isSensitive: boolean): Shapes {
  if (path === '*') return { exact: [EVERYTHING], all: [EVERYTHING], isMount: false };
  if (path[0] !== '/' || path.includes('|')) return UNKNOWN;
  const texts = path.slice(1).split('/');
  if (texts.length > 1 && texts.at(-1) === '') texts.pop();
  const segments: Segment[] = [{ text: '', isSensitive }];
  for (const [index, text] of texts.entries()) {
    if (/^:\w+$/.test(text)) segments.push({ text: undefined, isSensitive });
    else if (LITERAL.test(text)) segments.push({ text, isSensitive });
    else {
      const isRest = text === '*' && index === texts.length - 1 && !isMount;
      // "/*" matches every path; "/files/*" matches "/files/" and all paths below it.
      const end = segments.length === 1 ? 'open' : 'rest';
      // A "?" can make the slash before this segment optional, so the previous segment is not certain either.
      const certain = isRest ? segments : segments.slice(0, -1);
      return {
        exact: isRest ? [{ segments, end }] : [],
        all: [{ segments: certain, end: 'open' }],
        isMount: false,
      };
    }
  }
  const shape: Shape = { segments, end: isMount ? 'open' : 'closed' };
  return { exact: [shape], all: [shape], isMount };
}

// A path of Express 5 that matches every path.
const ANY = /^(?:\/?\{\*\w+\}|\*\w+)$/;

function shapesOfExpress5(path: string, isMount: boolean, isSensitive: boolean): Shapes {
  if (ANY.test(path)) return { exact: [EVERYTHING], all: [EVERYTHING], isMount: false };
  const loose = path === '/' ? path : path.replace(/\/+$/, '');
  let sequences: Token[][];
  try {
    sequences = expandGroups(parse(loose).tokens);
  } catch {
    return UNKNOWN;
  }
  if (sequences.length > MAX_SEQUENCES) return UNKNOWN;
  const each = sequences.map((tokens) => shapesOfTokens(tokens, isMount, isSensitive));
  return {
    exact: each.flatMap(({ exact }) => exact),
    all: each.flatMap(({ all }) => all),
    isMount: each.every((one) => one.isMount),
  };
}

/** The maximum number of token sequences of a path. Each optional group can double the number. */
const MAX_SEQUENCES = 16;

/** Returns the token sequences with and without each optional group. Stops early above `MAX_SEQUENCES`. */
function expandGroups(tokens: readonly Token[]): Token[][] {
  let sequences: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === 'group') {
      const taken = expandGroups(token.tokens);
      sequences = sequences.flatMap((sequence) => [
        sequence,
        ...taken.map((group) => [...sequence, ...group]),
      ]);
    } else for (const sequence of sequences) sequence.push(token);
    if (sequences.length > MAX_SEQUENCES) break;
  }
  return sequences.map((sequence) => [...sequence]);
}

function shapesOfTokens(tokens: readonly Token[], isMount: boolean, isSensitive: boolean): Shapes {
  const segments: Segment[] = [];
  let text: string | undefined = '';
  /** Whether each segment so far is either literal text or a single parameter. */
  let isPlain = true;
  const push = (): void => {
    segments.push({ text, isSensitive });
  };
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'text') {
      const [first = '', ...rest] = token.value.split('/');
      if (first !== '' && text === undefined) isPlain = false;
      if (text !== undefined) text += first;
      for (const next of rest) {
        push();
        text = next;
      }
    } else {
      if (text !== '') isPlain = false;
      if (token.type === 'wildcard') {
        const isLast = index === tokens.length - 1 && isPlain && !isMount;
        return {
          exact: isLast ? [{ segments, end: 'rest' }] : [],
          all: [{ segments, end: 'open' }],
          isMount: false,
        };
      }
      text = undefined;
    }
  }
  push();
  const shape: Shape = { segments, end: isMount ? 'open' : 'closed' };
  return { exact: isPlain && segments[0]?.text === '' ? [shape] : [], all: [shape], isMount };
}
