/**
 * The index of a router: it finds the few layers that can match a path, in registration order. §4.2 (paths)
 *
 * Each pattern is reduced to *shapes*. A shape is a list of whole segments, and each segment is a literal text or
 * "any". A closed shape covers paths with exactly these segments, with or without a trailing slash. An open shape also
 * covers longer paths, as a mount path or a wildcard does. A pattern with one optional group has two shapes.
 *
 * The shapes of all layers form a tree with one edge per segment. Each node has two lists of stack positions: `open`
 * for the open shapes and `closed` for the closed shapes that end there. For each segment of the path, a lookup follows
 * the literal edge and the "any" edge. It collects `open` of every node that it reaches, and `closed` of the nodes
 * where the path ends. `nextCandidate` merges these lists.
 *
 * The index never omits a layer that matches. It may return layers that do not match, for example because a
 * segment with a parameter counts as "any" even if it also contains literal text, or because two segments have the same
 * hash. `match` of these layers then rejects the path.
 */
import type { Token } from 'path-to-regexp';
import { parse } from 'path-to-regexp';
import type { AnyLayer, Shape } from './dialect';
import { Layer, patternsOf } from './layer';
import { isSegmented, loosen, type PatternOptions, segmentsOf } from './pattern';

class Node {
  /** The hash of the literal segment that leads to this node; 0 for other nodes. */
  readonly key: number;
  /** The first child for a literal segment. Most nodes have at most one, so they need no map. */
  literal: Node | undefined;
  /** All children for literal segments, by their `key`. Undefined if there are fewer than two. */
  literals: Map<number, Node> | undefined;
  /** The child for a segment that is "any". */
  any: Node | undefined;
  /** Stack positions of the layers that have a closed shape ending at this node. */
  closed: number[] | undefined;
  /** Stack positions of the layers that have an open shape ending at this node. */
  open: number[] | undefined;

  constructor(key: number) {
    this.key = key;
    this.literal = undefined;
    this.literals = undefined;
    this.any = undefined;
    this.closed = undefined;
    this.open = undefined;
  }
}

/** The result of a lookup: a linked list of position lists. */
export interface Candidates {
  /** Positions in the stack, ascending. */
  positions: readonly number[];
  /** The index in `positions` where `nextCandidate` continues to read. */
  head: number;
  others: Candidates | undefined;
}

// Optional groups multiply the shapes of a pattern. If a pattern has more shapes than this, its layer is a candidate
// for every path.
const MAX_SHAPES = 16;

/** The shape that covers every path, for example for a regular expression. */
export const EVERYTHING: Shape = { segments: [], isOpen: true };

export class LayerIndex {
  /** The number of indexed elements of the stack. */
  size = 0;
  readonly #root = new Node(0);
  /** For each indexed element, whether its shapes were known. Without shapes it is a candidate for every path. */
  readonly #isKnown: boolean[] = [];

  /** Indexes the next layer of the stack. @param layer Undefined for an empty element of the stack. */
  add(layer: AnyLayer | undefined): void {
    const position = this.size++;
    const shapes = shapesOf(layer);
    this.#isKnown.push(shapes !== undefined);
    for (const shape of shapes ?? [EVERYTHING]) insert(this.#root, shape, position);
  }

  /** Whether the application has changed how a layer matches since it was indexed. */
  isOutdated(layers: ReadonlyArray<AnyLayer | undefined>): boolean {
    return this.#isKnown.some((isKnown, i) => isKnown !== hasKnownShapes(layers[i]));
  }

  /** Returns the layers that may match `path`, for `nextCandidate` to read; undefined if there are none. */
  candidates(path: string): Candidates | undefined {
    return collect(this.#root, path, 0, undefined);
  }
}

/**
 * Returns the first position in the stack, from `from` on, of a layer that may match; `Infinity` if there is none.
 * Later calls must not pass a lower `from`, because the lists are only read forward.
 */
export function nextCandidate(candidates: Candidates | undefined, from: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let list = candidates; list; list = list.others) {
    const { positions } = list;
    for (; list.head < positions.length; list.head++) {
      const position = positions[list.head];
      if (position === undefined || position < from) continue;
      nearest = Math.min(nearest, position);
      break;
    }
  }
  return nearest;
}

/** Descends along the segments of `path` from `start` on, and adds the lists `open` and `closed` to `found`. */
function collect(
  node: Node,
  path: string,
  start: number,
  found: Candidates | undefined,
): Candidates | undefined {
  let all = found;
  if (node.open) all = { positions: node.open, head: 0, others: all };
  // The path ends at this node: `start` is `path.length + 1` after the last segment, or `path.length` after a trailing
  // slash.
  if (start >= path.length && node.closed) all = { positions: node.closed, head: 0, others: all };
  if (start > path.length || !(node.literal || node.any)) return all;

  let key = 0;
  let end = start;
  for (; end < path.length; end++) {
    const unit = path.charCodeAt(end);
    if (unit === SLASH) break;
    key = addToKey(key, unit);
  }
  const literal = literalEdge(node, key);
  if (literal) all = collect(literal, path, end + 1, all);
  if (node.any) all = collect(node.any, path, end + 1, all);
  return all;
}

const SLASH = 47;

/**
 * Adds one UTF-16 unit to the hash of a segment. Texts that differ only in letter case must have the same hash, because
 * routers ignore case by default. The case of non-ASCII characters is costly to fold, so all of them count as equal.
 */
function addToKey(key: number, unit: number): number {
  return (Math.imul(key, 31) + (unit < 128 ? unit | 32 : 128)) | 0;
}

function keyOf(segment: string): number {
  let key = 0;
  for (let i = 0; i < segment.length; i++) key = addToKey(key, segment.charCodeAt(i));
  return key;
}

function literalEdge({ literal, literals }: Node, key: number): Node | undefined {
  if (literals) return literals.get(key);
  return literal?.key === key ? literal : undefined;
}

/** Stores the position of a layer at the node where one of its shapes ends. Creates missing nodes. */
function insert(root: Node, { segments, isOpen }: Shape, position: number): void {
  let node = root;
  for (const text of segments) {
    if (text === undefined) {
      node.any ??= new Node(0);
      node = node.any;
    } else {
      const key = keyOf(text);
      node = literalEdge(node, key) ?? addLiteral(node, key);
    }
  }
  const list = isOpen ? node.open : node.closed;
  if (list) {
    if (list[list.length - 1] !== position) list.push(position);
  } else if (isOpen) node.open = [position];
  else node.closed = [position];
}

function addLiteral(node: Node, key: number): Node {
  const added = new Node(key);
  if (!node.literal) node.literal = added;
  else {
    node.literals ??= new Map([[node.literal.key, node.literal]]);
    node.literals.set(key, added);
  }
  return added;
}

/** Whether the index knows which paths a layer matches. Not if the application has replaced its matching. */
function hasKnownShapes(layer: AnyLayer | undefined): boolean {
  return Boolean(layer?.pathShapes ?? Layer.optionsOf(layer));
}

/** Returns the shapes that cover every path of a layer; undefined if `hasKnownShapes` is false. */
function shapesOf(layer: AnyLayer | undefined): readonly Shape[] | undefined {
  const options = Layer.optionsOf(layer);
  // Only layers of Express 4 have `pathShapes`.
  if (!layer || !options) return layer?.pathShapes;
  if (layer.slash) return [EVERYTHING];
  return patternsOf(layer).flatMap((pattern) =>
    pattern instanceof RegExp ? EVERYTHING : shapesOfText(pattern, options),
  );
}

function shapesOfText(pattern: string, { strict, end = true }: PatternOptions): Shape[] {
  const loose = loosen(pattern, strict);
  if (isSegmented(loose)) {
    const segments = segmentsOf(loose).map((segment) => (typeof segment === 'string' ? segment : undefined));
    return [{ segments: ['', ...segments], isOpen: !end }];
  }
  const sequences = expandGroups(parse(loose).tokens);
  if (sequences.length > MAX_SHAPES) return [EVERYTHING];
  return sequences.map((tokens) => shapeOfTokens(tokens, end));
}

function shapeOfTokens(tokens: readonly Token[], end: boolean): Shape {
  const segments: Array<string | undefined> = [];
  let segment: string | undefined = '';
  for (const token of tokens) {
    // A wildcard also matches slashes, so only the whole segments before it are known.
    if (token.type === 'wildcard') return { segments, isOpen: true };
    if (token.type === 'param') segment = undefined;
    if (token.type !== 'text') continue;
    const [first = '', ...rest] = token.value.split('/');
    if (segment !== undefined) segment += first;
    for (const next of rest) {
      segments.push(segment);
      segment = next;
    }
  }
  segments.push(segment);
  return { segments, isOpen: !end };
}

/** Returns the tokens for each combination of optional groups. Stops above `MAX_SHAPES`. */
function expandGroups(tokens: readonly Token[]): Token[][] {
  let sequences: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type !== 'group') {
      for (const sequence of sequences) sequence.push(token);
      continue;
    }
    const taken = expandGroups(token.tokens);
    sequences = sequences.flatMap((sequence) => [sequence, ...taken.map((group) => [...sequence, ...group])]);
    if (sequences.length > MAX_SHAPES) return sequences;
  }
  return sequences;
}
