// Writes the whole timetable as CSV, with one row for each stop of each train. No value needs quotes.
import { formatTime } from '../desk/clock';
import { trains } from '../desk/timetable';

export function formatCsv(): string {
  const rows = trains.flatMap(({ id, service, line, to, stops }) =>
    stops.map(({ station, platform, time }) =>
      [id, service, line.name, to.name, station.name, platform, formatTime(time)].join(','),
    ),
  );
  return `${['train,service,line,towards,station,platform,time', ...rows].join('\n')}\n`;
}
