// Railway time: a time is a number of minutes since midnight in Japan (UTC+9, no summer time), written as 05:07.

export const DAY = 24 * 60;

const JAPAN = 9 * 60;

export function minuteOf(date: Date): number {
  return (Math.floor(date.getTime() / 60_000) + JAPAN) % DAY;
}

export function formatTime(minute: number): string {
  const wrapped = minute % DAY;
  return `${pad(Math.floor(wrapped / 60))}:${pad(wrapped % 60)}`;
}

/**
 * Parses a time.
 *
 * @returns Minutes since midnight; `undefined` unless the text is `HH:MM` between 00:00 and 23:59.
 */
export function parseTime(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}
