/**
 * The order-exact index: request path → the few layers that can match it, in registration order. DESIGN: routing
 *
 * Every pattern is reduced to *shapes*: sequences of whole segments, each either literal text or "any", that
 * end either closed (the path ends here, give or take one slash) or open (anything may follow: a mount, a
 * wildcard, a regular expression). An optional group gives two shapes. The shapes of all layers make one
 * tree, an edge per segment, and each layer's position is noted at the nodes where its shapes end. To look a
 * path up is to walk the tree along the path's segments, taking the literal edge and the "any" edge where both
 * exist, and to gather the lists of positions met: open ones on the way, closed ones at the end. The lists
 * are in registration order by construction; `Candidates` merges them lazily.
 *
 * Shapes forget everything that is not whole segments (letter case, text beside a parameter, what a wildcard
 * holds), always towards matching too much: each candidate is then asked by its own matcher. So the index
 * decides nothing, it only leaves out layers that cannot match; and it stores nothing of any request.
 */
import type { Token } from 'path-to-regexp';
import { Layer, patternsOf } from './layer';
import { type PatternOptions, parsePattern } from './pattern';

/** Segments of a path between slashes; `undefined` is any one segment. */
interface Shape {
  segments: Array<string | undefined>;
  isOpen: boolean;
}

interface Node {
  literal: Map<string, Node> | undefined;
  any: Node | undefined;
  /** Positions of layers whose shape ends here, closed. */
  closed: number[] | undefined;
  /** Positions of layers whose shape ends here, open. */
  open: number[] | undefined;
}

// Beyond this a pattern's optional groups are not told apart, and its layer is a candidate for every path.
const MAX_SHAPES = 16;

const EVERYTHING: Shape = { segments: [], isOpen: true };

export class LayerIndex {
  /** How many layers are indexed. */
  size = 0;
  #root = newNode();

  clear(): void {
    this.size = 0;
    this.#root = newNode();
  }

  /** Index the next layer of the stack. */
  add(layer: Layer): void {
    const position = this.size++;
    for (const shape of shapesOf(layer)) this.#insert(shape, position);
  }

  /** The layers that can match `path`. */
  candidates(path: string): Candidates {
    const lists: number[][] = [];
    collect(this.#root, fold(path), 0, lists);
    return new Candidates(lists);
  }

  #insert({ segments, isOpen }: Shape, position: number): void {
    let node = this.#root;
    for (const segment of segments) {
      if (segment === undefined) {
        node.any ??= newNode();
        node = node.any;
      } else {
        node.literal ??= new Map();
        let child = node.literal.get(segment);
        if (!child) {
          child = newNode();
          node.literal.set(segment, child);
        }
        node = child;
      }
    }
    const positions = isOpen ? (node.open ??= []) : (node.closed ??= []);
    if (positions[positions.length - 1] !== position) positions.push(position);
  }
}

/** Positions in ascending order out of several ascending lists, merged as they are asked for. */
export class Candidates {
  readonly #lists: readonly number[][];
  readonly #heads: number[];

  constructor(lists: readonly number[][]) {
    this.#lists = lists;
    this.#heads = lists.map(() => 0);
  }

  /** The first position not before `from`; `Infinity` when there is none. Ask with ascending `from` only. */
  next(from: number): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#lists.length; i++) {
      const list = this.#lists[i] as number[];
      let head = this.#heads[i] as number;
      while (head < list.length && (list[head] as number) < from) head++;
      this.#heads[i] = head;
      if (head < list.length && (list[head] as number) < nearest) nearest = list[head] as number;
    }
    return nearest;
  }
}

/** Gather the lists of `node` and below for the segments of `path` from `start` on. */
function collect(node: Node, path: string, start: number, lists: number[][]): void {
  if (node.open) lists.push(node.open);
  // No segment left, or only the empty one after a trailing slash.
  if (start >= path.length && node.closed) lists.push(node.closed);
  if (start > path.length) return;

  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  if (node.literal) {
    const child = node.literal.get(path.slice(start, end));
    if (child) collect(child, path, end + 1, lists);
  }
  if (node.any) collect(node.any, path, end + 1, lists);
}

/** The shapes of a layer; together they cover every path it can match. */
function shapesOf(layer: Layer): Shape[] {
  const options = Layer.optionsOf(layer);
  // A layer from elsewhere (another router, a program's own) is asked about every path.
  if (!options || layer.slash) return [EVERYTHING];
  return patternsOf(layer).flatMap((pattern) =>
    pattern instanceof RegExp ? EVERYTHING : shapesOfText(pattern, options),
  );
}

function shapesOfText(pattern: string, { strict = false, end = true }: PatternOptions): Shape[] {
  const sequences = expandGroups(parsePattern(pattern, strict).tokens);
  if (sequences.length > MAX_SHAPES) return [EVERYTHING];
  return sequences.map((tokens) => shapeOfTokens(tokens, end));
}

function shapeOfTokens(tokens: readonly Token[], end: boolean): Shape {
  const segments: Shape['segments'] = [];
  let segment: string | undefined = '';
  for (const token of tokens) {
    // A wildcard takes slashes too: only the segments before its own are certain.
    if (token.type === 'wildcard') return { segments, isOpen: true };
    if (token.type === 'param') segment = undefined;
    if (token.type !== 'text') continue;
    const [first, ...rest] = fold(token.value).split('/') as [string, ...string[]];
    if (segment !== undefined) segment += first;
    for (const next of rest) {
      segments.push(segment);
      segment = next;
    }
  }
  segments.push(segment);
  return { segments, isOpen: !end };
}

/** Every way to take or leave the optional groups; gives up beyond `MAX_SHAPES`. */
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

const IS_FOLDED = /^[\0-@[-\x7f]*$/;

/**
 * Text without letter case, as a regular expression with the flag `i` compares it: character by character
 * in upper case, unless that is several characters or turns a letter beyond ASCII into one of ASCII. ECMA-262 §22.2.2.7.3
 */
function fold(text: string): string {
  if (IS_FOLDED.test(text)) return text;
  let folded = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    const upper = unit.toUpperCase();
    if (upper.length !== 1) folded += unit;
    else if (upper.charCodeAt(0) < 128) folded += unit.charCodeAt(0) < 128 ? unit.toLowerCase() : unit;
    else folded += upper;
  }
  return folded;
}

function newNode(): Node {
  return { literal: undefined, any: undefined, closed: undefined, open: undefined };
}
