/** How an event reaches a target: as a signed webhook, by mail, or as a message in a channel. */
export const notificationKinds = ['webhook', 'email', 'slack', 'teams'] as const;

export type NotificationKind = (typeof notificationKinds)[number];

/** A target whose address is also its password: anyone who has it can write into the channel. */
export type ChatKind = Extract<NotificationKind, 'slack' | 'teams'>;

export function isChat(kind: NotificationKind): kind is ChatKind {
  return kind === 'slack' || kind === 'teams';
}

const hosts: [suffix: string, kind: ChatKind][] = [
  ['hooks.slack.com', 'slack'],
  ['webhook.office.com', 'teams'],
  ['logic.azure.com', 'teams'],
  ['api.powerplatform.com', 'teams'],
];

/** Returns what a URL is by its host: that of Slack, of Teams (workflows), or of neither. */
export function kindOfUrl({ hostname }: URL): NotificationKind {
  const found = hosts.find(([suffix]) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  return found?.[1] ?? 'webhook';
}

/** The address of a target as lists show it: that of a channel, whatever its kind, without the part that opens it. */
export function shownAddress(kind: NotificationKind, address: string): string {
  if (kind === 'email') return address;
  const url = new URL(address);
  return isChat(kind) || isChat(kindOfUrl(url)) ? `${url.origin}/…` : address;
}
