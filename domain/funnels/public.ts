export { gatewayOfPages, type PageGateway } from './funnel/checkout-settings.ts'
export { pagePlaces } from './funnel/page-places.ts'
export type { AttachedProduct } from './funnel/products.ts'
export { funnels } from './funnel/rules.ts'
export { readFunnelStats } from './funnel/stats.ts'
export {
  isSplit,
  locatePage,
  type Node,
  type PageNode,
  pageNodes,
  type SplitNode,
  TREE_NODE,
  type Tree,
} from './funnel/tree.ts'
export type { ArrivingPage, Ref, WantedProducts } from './funnel/wanted.ts'
export { isInTest, isOfTestFunnel } from './in-test.ts'
export {
  type Choose,
  chooserFor,
  firstPageOf,
  type SplitDeps,
  type SplitVisitor,
  stepsAfter,
} from './next-step.ts'
