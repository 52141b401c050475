// What the picture of /stats shows.
export interface PictureCounts {
  redeemed: number;
  failed: number;
  /** Under way, or in doubt. */
  open: number;
}

export interface PictureDay extends PictureCounts {
  /** `22` */
  day: string;
  /** `Nov` */
  month: string;
  /** 0 is Monday. */
  weekday: number;
  /** `Mon` */
  weekdayLabel: string;
  /** Before the shop was opened: there is nothing to say. */
  isBefore: boolean;
}

export interface PictureAmount extends PictureCounts {
  /** `60 UC` */
  label: string;
}

/** What the picture of /stats shows; labels and words are ready to be drawn. */
export interface StatisticsPicture {
  words: {
    shop: string;
    range: string;
    byDay: string;
    byWeek: string;
    byAmount: string;
    redeemed: string;
    failed: string;
    open: string;
    /** From Monday on. */
    weekdays: readonly string[];
  };
  total: PictureCounts;
  /** Oldest first. */
  days: readonly PictureDay[];
  /** Of many days; oldest first. */
  weeks: readonly PictureAmount[];
  /** A few. */
  amounts: readonly PictureAmount[];
}

/** A part of the picture as SVG, and where it ends. */
export interface Drawn {
  svg: string;
  bottom: number;
}
