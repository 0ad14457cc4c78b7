export { cloneDatabase, emptyDatabase, type ClonedDatabase } from './clone-database.ts';
export { redisServer, type RedisServer } from './redis-server.ts';
