/** The icons of the page, drawn in the colour of the text around them. */

const paths = {
  bag: "M3 7.5h14v7.2A2.3 2.3 0 0 1 14.7 17H5.3A2.3 2.3 0 0 1 3 14.7zM7 7.5V6a2.2 2.2 0 0 1 2.2-2.2h1.6A2.2 2.2 0 0 1 13 6v1.5M3 11h14M10 9.7v2.6",
  chevron: "m7.5 5 5 5-5 5",
  close: "m5.5 5.5 9 9m0-9-9 9",
  download: "M10 3.5v8.5m-3.5-3.2L10 12.3l3.5-3.5M4 16.5h12",
  edit: "m4 16 .8-3.2 8.7-8.7a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2L7.2 15.2z",
  file: "M5.5 3h5.7l3.3 3.3V17h-9zM11 3v3.5h3.5",
  folder: "M3 5.5h4.8l1.5 1.8H17V16H3z",
  hand: "M6.5 10.5V5.7a1.2 1.2 0 0 1 2.4 0V9.5m0-1V4.2a1.2 1.2 0 0 1 2.4 0v4.8m0-3.5a1.2 1.2 0 0 1 2.4 0v4m0-2a1.2 1.2 0 0 1 2.3 0v4.7c0 2.9-2 4.8-4.7 4.8-2 0-3.3-.8-4.4-2.6L4.2 11a1.2 1.2 0 0 1 2-1.3z",
  list: "M4 5.5h12M4 10h12M4 14.5h8",
  lock: "M5 9h10v7.5H5zM7 9V6.8a3 3 0 0 1 6 0V9",
  moon: "M15.8 12.2A6.5 6.5 0 0 1 7.8 4.2a6.5 6.5 0 1 0 8 8z",
  plus: "M10 4.5v11M4.5 10h11",
  search: "M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zm3.7 8.7L16.5 16.5",
  shield: "M10 3l5.5 2v4.7c0 3.3-2.2 5.8-5.5 7.3-3.3-1.5-5.5-4-5.5-7.3V5z",
  spark: "M10 3.5v4M10 12.5v4M3.5 10h4M12.5 10h4",
  stop: "M6 6h8v8H6z",
  sun: "M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM10 2.5v1.8m0 11.4v1.8M2.5 10h1.8m11.4 0h1.8M4.7 4.7 6 6m8 8 1.3 1.3m0-10.6L14 6m-8 8-1.3 1.3",
  system: "M3.5 4.5h13v8.5h-13zM7.5 16.5h5M10 13v3.5",
  terminal: "m4.5 6 3.5 4-3.5 4M10 14.5h5.5",
  warning: "M10 3.5 17.2 16H2.8zM10 8.2v3.8m0 2v.2",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** Draws an icon. It says nothing to a screen reader: the words beside it do. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
