export { type FeedOptions, feedInformer, type InformerFeed, type InformerLike } from './lib/informer/feed-informer.ts';
