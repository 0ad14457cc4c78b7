/** What the list of somebody's organizations says. */
export const organizationTexts = {
  caption: (days: number) => `Those that need you first; mail of the last ${days} days`,
  pageOf: (name: string) => `That page is of ${name}`,
  changeTo: (name: string) => `Change to ${name}`,
  noMatch: 'No organization of yours has this in its name.',
  noneTitle: 'No organization is open to you',
  none: 'You belong to none now, or yours is suspended. Ask an owner of yours, or the operator of this server.',
};
