/** Replaces `{{variables}}` in requests. */
import { generated } from './generated-values';

/** A variable in a text. */
const PLACE = /\{\{\s*([^{}]+?)\s*\}\}/g;
/** How often a value may contain other variables. */
const DEEPEST = 20;

/** Where a text is: for messages, and to find the definitions before it. */
export interface Place {
  /** Such as `requests.http:7`. */
  readonly where: string;
  /** The number of the request from 0. */
  readonly request: number;
  readonly line: number;
}

export interface VariableSources {
  /** Returns the text of a variable; undefined if there is none with this name. */
  find(name: string, place: Place): string | undefined;
  /** Whether the value is known only when the requests are played, as part of a response. */
  isLate(expression: string, place: Place): boolean;
  /** The end of the message for an unknown variable: how to define it. */
  readonly remedy: string;
}

/**
 * Replaces the variables of a text, also in their values. Those that are known only later stay as `{{…}}`.
 *
 * @param isShown For an id: values that are generated stay, too, because they differ each time.
 * @throws TypeError for an unknown variable, with the place of the text.
 */
export function replaceVariables(
  text: string,
  place: Place,
  sources: VariableSources,
  isShown = false,
  depth = 0,
): string {
  return text.replace(PLACE, (all, expression: string) => {
    if (sources.isLate(expression, place)) return all;
    if (depth > DEEPEST) throw new TypeError(`${place.where}: ${all} contains itself`);
    const value = sources.find(expression, place);
    if (value !== undefined) return replaceVariables(value, place, sources, isShown, depth + 1);
    if (expression.startsWith('$')) {
      const made = generated(expression);
      if (made !== undefined) return isShown ? all : made;
    }
    throw new TypeError(`${place.where}: unknown variable ${all}; ${sources.remedy}`);
  });
}

/** Replaces the variables that were left, when requests are played. */
export function replaceLate(text: string, find: (expression: string) => string): string {
  return text.replace(PLACE, (_all, expression: string) => find(expression));
}
