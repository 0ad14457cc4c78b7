export {
  countReceivedSince,
  countUnfinished,
  findFinished,
  findMessage,
  hasReceived,
  listMessages,
  type MessageStory,
} from './messages.ts';
export { findMailStory, type MailPlace, type MailStory } from './mail-story.ts';
