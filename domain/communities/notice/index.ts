import { serve } from '../../resources/serve.ts'
import { underCommunity } from '../community/index.ts'
import { notice } from './model.ts'
import { notices } from './rules.ts'

/** Whom posts and comments were told to. It is asked for by policies; the API has no operations on it. */
export const noticeResource = serve(notice, notices, {
  title: 'Communities::Notice',
  root: 'communities_notice',
  category: 'community',
  under: underCommunity,
  indexes: [{ fields: ['post_id', 'comment_id'] }, { fields: ['untold_in'], sort: 'untold_at' }],
  operations: {},
})
