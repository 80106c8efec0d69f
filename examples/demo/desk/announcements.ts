// The notices on the board: in English, some also in Japanese. The list has the newest first and at most MAX_SHOWN notices.

export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

export interface Announcement {
  readonly id: number;
  readonly text: { readonly en: string; readonly ja?: string };
}

const MAX_SHOWN = 12;

export class Announcements {
  #list: Announcement[] = [
    {
      id: 2,
      text: {
        en: 'The foot bath at Yunosato is open again. Towels at the desk.',
        ja: '湯の里駅の足湯を再開しました。タオルは窓口にございます。',
      },
    },
    {
      id: 1,
      text: {
        en: 'Please hold on to your hat at Misaki. The gulls have been practising.',
        ja: '岬駅では帽子にご注意ください。カモメが練習しております。',
      },
    },
  ];
  #lastId = 2;

  all(): readonly Announcement[] {
    return this.#list;
  }

  /** Returns the notices in one language. A notice without a translation is in English. */
  in(language: Language): { id: number; text: string; language: Language }[] {
    return this.#list.map(({ id, text }) => {
      const translated = text[language];
      return translated === undefined
        ? { id, text: text.en, language: 'en' }
        : { id, text: translated, language };
    });
  }

  add(text: string): Announcement {
    this.#lastId += 1;
    const announcement = { id: this.#lastId, text: { en: text } };
    this.#list = [announcement, ...this.#list].slice(0, MAX_SHOWN);
    return announcement;
  }

  remove(id: number): boolean {
    const kept = this.#list.filter((announcement) => announcement.id !== id);
    const found = kept.length < this.#list.length;
    this.#list = kept;
    return found;
  }
}
