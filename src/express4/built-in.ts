/**
 * The two layers that each application of Express 4 starts with: `query` and `expressInit`. E4-A
 *
 * Every request enters both, so the walk runs what they do directly, without a `next` for each. It calls them like other
 * layers if anything can tell the difference: if the application or an agent has replaced a layer, its handler or its
 * methods.
 */
import { named } from '../internal/named';
import type { AnyLayer, Step } from '../routing/dialect';
import { type Stacked, stackOf } from '../routing/router';
import type { Next } from '../types';
import { isOriginal } from './layer';

interface BuiltIn {
  readonly steps: readonly Step[];
  readonly handlers: readonly unknown[];
  readonly layers: readonly AnyLayer[];
}

const kBuiltIn: unique symbol = Symbol('nozomi.builtInLayers');

/** Creates a handler that takes a step and calls `next`. */
export function toHandler<Req, Res>(name: string, step: Taking<Req, Res>): Taking<Req, Res> {
  return named<Taking<Req, Res>>(name, (req, res, next) => {
    step(req, res, next);
    next();
  });
}

type Taking<Req, Res> = (req: Req, res: Res, next: Next) => void;

/** A new router, to add middleware to. */
type OpenRouter = Stacked & { use(handler: unknown): unknown };

/** Adds the two layers to the new router of an application. */
export function addBuiltInLayers(router: OpenRouter, query: Step, expressInit: Step): void {
  const handlers = [toHandler('query', query), toHandler('expressInit', expressInit)];
  for (const handler of handlers) router.use(handler);
  const builtIn: BuiltIn = { steps: [query, expressInit], handlers, layers: stackOf(router).layers.slice() };
  Object.defineProperty(router, kBuiltIn, { value: builtIn });
}

/** Returns what the built-in layers of a router do; undefined if it has none, or they must be called. */
export function builtInSteps(
  router: { readonly [kBuiltIn]?: BuiltIn },
  layers: readonly AnyLayer[],
): readonly Step[] | undefined {
  const { [kBuiltIn]: builtIn } = router;
  if (!builtIn) return undefined;
  for (let i = 0; i < builtIn.steps.length; i++) {
    const layer = layers[i];
    if (!layer || layer !== builtIn.layers[i] || !isOriginal(layer, builtIn.handlers[i])) return undefined;
  }
  return builtIn.steps;
}
