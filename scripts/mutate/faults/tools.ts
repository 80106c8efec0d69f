/** Faults in the tools: what a recording and a report reveal, and the files that a command changes. */
import type { Fault } from '../fault';

export const TOOLS: readonly Fault[] = [
  {
    name: 'a recording has the values of headers with secret names',
    file: 'parity/recorder/scrub.ts',
    search: "return name === 'set-cookie' || this.#names.secrecyOf(name) !== undefined;",
    replace: "return name === 'set-cookie';",
    breaks: [],
    spec: 'spec/parity/scrub.spec.ts',
  },
  {
    name: 'the name of a secret may be anywhere in a long text before it',
    file: 'parity/recorder/scan-text.ts',
    search:
      'while (start > from && end - start < LONGEST_NAME && !BEFORE_NAME.test(text[start - 1] as string)) start--;\n  //',
    replace: 'while (start > 0 && !BEFORE_NAME.test(text[start - 1] as string)) start--;\n  //',
    breaks: [],
    spec: 'spec/parity/scrub.spec.ts',
  },
  {
    name: 'others can read a recording',
    file: 'parity/recorder/recorder.ts',
    search: 'O_NOFOLLOW, 0o600)',
    replace: 'O_NOFOLLOW, 0o644)',
    breaks: [],
    spec: 'spec/parity/scrub.spec.ts',
  },
  {
    name: 'a recording is written through a symbolic link',
    file: 'parity/recorder/recorder.ts',
    search: 'if (found?.isSymbolicLink())',
    replace: 'if (found?.isSymbolicLink()) return openSync(file, 1);\n  if (found?.isFIFO())',
    breaks: [],
    spec: 'spec/parity/scrub.spec.ts',
  },
  {
    name: 'a report prints the control characters of a response',
    file: 'parity/report/printable.ts',
    search: '/(?!\\n)[\\p{C}\\p{Zl}\\p{Zp}]/gu',
    replace: '/(?!)/gu',
    breaks: [],
    spec: 'spec/parity/printable.spec.ts',
  },
  {
    name: 'migrate writes through a symbolic link that leads out of the folder',
    file: 'parity/command/migrate.ts',
    search: 'if (!isInside(realpathSync(home), real))',
    replace: 'if (!isInside(real, real))',
    breaks: [],
    spec: 'spec/parity/migrate.spec.ts',
  },
];
