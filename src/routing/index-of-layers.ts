/**
 * The router's index: it finds the few layers that can match a path, in registration order. §4.2 (paths)
 *
 * Each pattern becomes one or several *shapes*. A shape is a sequence of whole segments, each literal text or "any",
 * and is closed (the path ends there) or open (more segments may follow, as below a mount path or for a wildcard). An
 * optional group gives two shapes. The shapes of all layers form a tree with one edge per segment; the node where a
 * shape ends stores the positions of its layers. A lookup follows the literal edge and the "any" edge for each
 * segment of the path and collects the positions: open ones on the way, closed ones at the end. Each list is in
 * registration order, and `nextCandidate` merges the lists.
 *
 * Shapes ignore text beside a parameter, and a wildcard with all that follows it; the tree compares numeric keys of the
 * segments, not their text. So the index may return layers that do not match, and their own matchers reject those. It
 * never omits a layer that matches, and it stores nothing of a request.
 */
import type { Token } from 'path-to-regexp';
import { lazy } from '../wire/lazy';
import type { AnyLayer, Shape } from './dialect';
import { Layer, patternsOf } from './layer';
import { isPlain, loosen, type PatternOptions, segmentsOf } from './pattern';

const pathToRegexp = lazy<typeof import('path-to-regexp')>(() => require('path-to-regexp'));

class Node {
  /** The key of the literal segment on the edge to this node. */
  readonly key: number;
  /** The first literal edge. Most nodes have no second one, so they need no map. */
  literal: Node | undefined;
  /** All literal edges by key, if there are several. */
  literals: Map<number, Node> | undefined;
  /** The edge for any segment. */
  any: Node | undefined;
  /** The positions of layers with a closed shape that ends here. */
  closed: number[] | undefined;
  /** The positions of layers with an open shape that ends here. */
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

/** The lists of positions that one lookup found, as a linked list: a list, its read position, and the other lists. */
export interface Candidates {
  positions: readonly number[];
  head: number;
  others: Candidates | undefined;
}

// Limit for the shapes of a pattern, which optional groups multiply. Above it the layer is a candidate for every path.
const MAX_SHAPES = 16;

/** The shape of a pattern that may match every path. */
export const EVERYTHING: Shape = { segments: [], isOpen: true };

export class LayerIndex {
  /** Number of indexed layers. */
  size = 0;
  readonly #root = new Node(0);

  /** Indexes the next layer of the stack. */
  add(layer: AnyLayer | undefined): void {
    const position = this.size++;
    for (const shape of shapesOf(layer)) insert(this.#root, shape, position);
  }

  /** The candidates for `path`; `nextCandidate` reads them. */
  candidates(path: string): Candidates | undefined {
    return collect(this.#root, path, 0, undefined);
  }
}

/** The first candidate at or after `from`; `Infinity` if there is none. Call it with ascending `from` only. */
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

/**
 * Follows the segments of `path`, from `start` on, down from `node`. Adds to `found` the open list of each node on the
 * way, and the closed list of each node where the path ends.
 */
function collect(
  node: Node,
  path: string,
  start: number,
  found: Candidates | undefined,
): Candidates | undefined {
  let all = found;
  if (node.open) all = { positions: node.open, head: 0, others: all };
  // No segment is left, or only the empty one after a trailing slash.
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
 * Extends the key of a segment by one UTF-16 unit. Texts that `caseSensitive: false` treats as equal must have equal
 * keys: upper-case letters count as lower-case letters, and all non-ASCII characters are equal.
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

/** Adds the position of a layer at the node where its shape ends; creates missing nodes. */
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

/** The shapes of a layer; together they cover every path it can match. */
function shapesOf(layer: AnyLayer | undefined): readonly Shape[] {
  const options = Layer.optionsOf(layer);
  // Not a layer of Express 5. One of Express 4 has `pathShapes`; any other value that the application put into the stack
  // is a candidate for every path.
  if (!layer || !options) return layer?.pathShapes ?? [EVERYTHING];
  if (layer.slash) return [EVERYTHING];
  return patternsOf(layer).flatMap((pattern) =>
    pattern instanceof RegExp ? EVERYTHING : shapesOfText(pattern, options),
  );
}

function shapesOfText(pattern: string, { strict, end = true }: PatternOptions): Shape[] {
  const loose = loosen(pattern, strict);
  if (isPlain(loose)) {
    const segments = segmentsOf(loose).map((segment) => (typeof segment === 'string' ? segment : undefined));
    return [{ segments: ['', ...segments], isOpen: !end }];
  }
  const sequences = expandGroups(pathToRegexp().parse(loose).tokens);
  if (sequences.length > MAX_SHAPES) return [EVERYTHING];
  return sequences.map((tokens) => shapeOfTokens(tokens, end));
}

function shapeOfTokens(tokens: readonly Token[], end: boolean): Shape {
  const segments: Array<string | undefined> = [];
  let segment: string | undefined = '';
  for (const token of tokens) {
    // A wildcard also matches slashes, so only the segments before it are known.
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

/**
 * The token sequences for every combination of optional groups. Stops above `MAX_SHAPES`: the result is then incomplete,
 * and too long for the caller to use.
 */
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
