export { isCrawler } from './placement/crawler.ts'
export { placements } from './placement/index.ts'
