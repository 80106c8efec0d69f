// The data of the Nozomi Bay Railway: fourteen stations and three lines. Nothing here changes at run time.

export interface Station {
  readonly id: string;
  readonly name: string;
  readonly kanji: string;
  /** A sentence about the station for visitors. */
  readonly about: string;
  /** The position on the network map in units of its SVG, and the side of the label. */
  readonly map: readonly [x: number, y: number, label: 'above' | 'below' | 'left' | 'right' | 'corner'];
}

export interface Line {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly kanji: string;
  /** The ids of the stations, in the order of the down direction. */
  readonly stops: readonly string[];
  /** The minutes between each stop and the next. There is one entry fewer than in `stops`. */
  readonly hops: readonly number[];
  /**
   * `first` and `last` are the times of the first and last departure at both ends, in minutes since midnight. `every`
   * is the interval in minutes.
   */
  readonly first: number;
  readonly last: number;
  readonly every: number;
  /** Every third train is a rapid: it has this name and does not stop at the stations in `passes`. */
  readonly rapid?: { readonly name: string; readonly passes: readonly string[] };
}

export const stations: readonly Station[] = [
  {
    id: 'central',
    name: 'Nozomi Central',
    kanji: '望中央',
    about: 'Where all three lines meet, under the big clock.',
    map: [300, 220, 'corner'],
  },
  {
    id: 'minato',
    name: 'Minato',
    kanji: '港',
    about: 'Ferries, fish soup, and the smell of rope.',
    map: [420, 300, 'left'],
  },
  {
    id: 'isohama',
    name: 'Isohama',
    kanji: '磯浜',
    about: 'Tide pools two minutes from the platform.',
    map: [500, 340, 'below'],
  },
  {
    id: 'kaigan',
    name: 'Kaigan Park',
    kanji: '海岸公園',
    about: 'Pines, kites, and a bandstand on Sundays.',
    map: [590, 350, 'above'],
  },
  {
    id: 'todaimae',
    name: 'Tōdaimae',
    kanji: '灯台前',
    about: 'Change here for two hundred and eleven stairs.',
    map: [670, 330, 'right'],
  },
  {
    id: 'misaki',
    name: 'Misaki',
    kanji: '岬',
    about: 'The last stop before the sea. Mind the gulls.',
    map: [730, 280, 'above'],
  },
  {
    id: 'chayamachi',
    name: 'Chayamachi',
    kanji: '茶屋町',
    about: 'Tea houses along the old post road.',
    map: [300, 160, 'left'],
  },
  {
    id: 'takebayashi',
    name: 'Takebayashi',
    kanji: '竹林',
    about: 'The bamboo is taller than the signals.',
    map: [340, 110, 'left'],
  },
  {
    id: 'yunosato',
    name: 'Yunosato',
    kanji: '湯の里',
    about: 'A hot spring on the platform; towels at the desk.',
    map: [430, 80, 'above'],
  },
  {
    id: 'toge',
    name: 'Tōge',
    kanji: '峠',
    about: 'The top of the pass. It is colder than you think.',
    map: [530, 70, 'above'],
  },
  {
    id: 'hoshimi',
    name: 'Hoshimi',
    kanji: '星見',
    about: 'No street lamps, by agreement with the stars.',
    map: [630, 80, 'right'],
  },
  {
    id: 'ichiba',
    name: 'Ichiba',
    kanji: '市場',
    about: 'The morning market opens with the first train.',
    map: [150, 220, 'above'],
  },
  {
    id: 'umezono',
    name: 'Umezono',
    kanji: '梅園',
    about: 'Plum blossom in February, pickles all year.',
    map: [410, 190, 'above'],
  },
  {
    id: 'hasuike',
    name: 'Hasuike',
    kanji: '蓮池',
    about: 'Four hundred lotuses and one very old carp.',
    map: [475, 240, 'right'],
  },
];

export const lines: readonly Line[] = [
  {
    id: 'bay',
    code: 'B',
    name: 'Bay Line',
    kanji: '湾岸線',
    stops: ['central', 'minato', 'isohama', 'kaigan', 'todaimae', 'misaki'],
    hops: [4, 5, 6, 4, 7],
    first: 305,
    last: 1385,
    every: 20,
    rapid: { name: 'Kamome', passes: ['isohama', 'todaimae'] },
  },
  {
    id: 'pass',
    code: 'P',
    name: 'Pass Line',
    kanji: '峠線',
    stops: ['central', 'chayamachi', 'takebayashi', 'yunosato', 'toge', 'hoshimi'],
    hops: [5, 7, 9, 8, 10],
    first: 318,
    last: 1368,
    every: 30,
    rapid: { name: 'Hoshi', passes: ['chayamachi', 'takebayashi'] },
  },
  {
    id: 'garden',
    code: 'G',
    name: 'Garden Line',
    kanji: '庭園線',
    stops: ['ichiba', 'central', 'umezono', 'hasuike', 'minato'],
    hops: [6, 4, 3, 5],
    first: 300,
    last: 1395,
    every: 15,
  },
];

const stationsById = new Map(stations.map((station) => [station.id, station]));
const linesById = new Map(lines.map((line) => [line.id, line]));

export function findStation(id: string): Station | undefined {
  return stationsById.get(id);
}

export function findLine(id: string): Line | undefined {
  return linesById.get(id);
}

export function linesAt(station: Station): Line[] {
  return lines.filter((line) => line.stops.includes(station.id));
}

/**
 * Finds a station by an id from the tables of this file.
 *
 * @throws {RangeError} if there is no station with this id.
 */
export function stationOf(id: string): Station {
  const station = stationsById.get(id);
  if (!station) throw new RangeError(`railway: there is no station "${id}"`);
  return station;
}
