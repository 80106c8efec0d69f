/** The child process of `scoreApart`: scores one section and sends the result to the parent process. */
import { type ScoreOptions, score } from './player';

const [file = '', name = '', section = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const frameworks = require(file) as Record<string, () => Promise<ScoreOptions>>;
  const options = await frameworks[name]?.();
  if (!options)
    throw new Error(`${file}: expected an exported function "${name}" that returns the options of score`);
  send(await score({ ...options, sections: [section] }));
}

function send(message: unknown): void {
  process.send?.(message, () => process.exit());
}

main().catch((error: Error) => send({ failed: error.message.split('\n', 1)[0] }));
