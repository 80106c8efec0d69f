// Writes timetables/spring-2026.csv. Run it after a change to desk/railway.ts: npx tsx
// examples/demo/timetables/write.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCsv } from './csv';

writeFileSync(join(__dirname, 'spring-2026.csv'), formatCsv());
