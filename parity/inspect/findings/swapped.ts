/** Finds handlers with their parameters in another order than that in which Express passes them. */
import type * as t from '@babel/types';
import { replaceNode } from '../changes';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { CODES } from './codes';
import { type HandlerCode, handlersIn, parameterOf } from './handler-code';

/** The names of the parameters in the order of an error handler. */
const ORDER = [/^_?(?:err|error)$/i, /^_?(?:req|request)$/i, /^_?(?:res|resp|response)$/i, /^_?next$/i];

export function findSwapped(live: LiveApplication): Finding[] {
  return handlersIn(live).flatMap(findSwappedIn);
}

export function findSwappedIn(code: HandlerCode): Finding[] {
  const { fn, name, parsed, site } = code;
  if (!isSwapped(code)) return [];
  const names = namesOf(code);
  const sorted = ORDER.flatMap((role) => names.find((one) => role.test(one)) ?? []);
  const [first, last] = [fn.node.params[0], fn.node.params.at(-1)];
  const passed = names.length === 4 ? '(err, req, res, next)' : '(req, res, next)';
  const mayReorder = sorted.length === names.length && (names.length === 4 || rolesOf(names)[0] !== 0);
  return [
    {
      code: CODES.swapped.code,
      severity: 'warning',
      message: `${name}(${names.join(', ')}) has its parameters in another order than Express passes them: ${passed}`,
      site,
      change:
        mayReorder && first && last
          ? replaceNode(
              parsed,
              { ...first, end: last.end ?? 0 } as t.Node,
              sorted.join(', '),
              `declare (${sorted.join(', ')})`,
            )
          : undefined,
    },
  ];
}

/** Whether the names of the parameters say that each has another role than its position. */
export function isSwapped(code: HandlerCode): boolean {
  const names = namesOf(code);
  if (names.length !== code.length || names.length < 2) return false;
  const roles = rolesOf(names);
  const [first, second] = roles;
  // (res, req), and (err, res, req) with three parameters.
  if ((first === 2 && second === 1) || (names.length === 3 && first === 0 && second === 2)) return true;
  return names.length === 4 && roles.join() !== '0,1,2,3' && [...roles].sort().join() === '0,1,2,3';
}

function namesOf({ fn }: HandlerCode): string[] {
  return fn.node.params.map((_param, index) => parameterOf(fn, index)?.name ?? '');
}

function rolesOf(names: readonly string[]): number[] {
  return names.map((one) => ORDER.findIndex((role) => role.test(one)));
}
