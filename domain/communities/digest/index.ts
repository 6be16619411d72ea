import { serve } from '../../resources/serve.ts'
import { underCommunity } from '../community/index.ts'
import { digest } from './model.ts'
import { digests } from './rules.ts'

/** Digest of a community. It is asked for by policies and its timer; the API has no operations on it. */
export const digestResource = serve(digest, digests, {
  title: 'Communities::Digest',
  root: 'communities_digest',
  category: 'community',
  under: underCommunity,
  indexes: [{ fields: ['community_id'] }],
  operations: {},
})
