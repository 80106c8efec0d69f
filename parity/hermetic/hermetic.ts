/** `nozomi-parity --hermetic`: takes the replies of databases and services from a recording. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import { readRecording } from './recording';

/**
 * Lets the processes of the application that `act` starts get their replies from a recording.
 *
 * @returns The exit code of `act`, or 2 if the recording had no reply to a question. Prints these questions.
 * @throws TypeError if the file is no recording.
 */
export async function hermetically(file: string, act: () => Promise<number>): Promise<number> {
  readRecording(file);
  const folder = temporaryFolder('hermetic');
  const unknown = join(folder, 'unknown');
  const { NODE_OPTIONS: before } = process.env;
  process.env.NOZOMI_HERMETIC = JSON.stringify({ file: resolve(file), unknown });
  process.env.NODE_OPTIONS = `${before ?? ''} --require ${JSON.stringify(join(__dirname, 'replying.js'))}`;
  try {
    const code = await act();
    const questions = existsSync(unknown)
      ? [...new Set(readFileSync(unknown, 'utf8').trim().split('\n'))]
      : [];
    if (questions.length === 0) return code;
    console.log(`inconclusive: ${file} has no reply to ${questions.length} questions of the application:`);
    for (const question of questions) console.log(`  ${JSON.parse(question).slice(0, MAX_QUESTION_LENGTH)}`);
    return 2;
  } finally {
    process.env.NODE_OPTIONS = before ?? '';
    delete process.env.NOZOMI_HERMETIC;
    removeFolder(folder);
  }
}

/** The most characters of a question that are printed. */
const MAX_QUESTION_LENGTH = 300;
