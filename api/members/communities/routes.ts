import { forMembers, forReaders, type Route } from '../request.ts'
import { actRoutes } from './acts.ts'
import { showReply, takeComment, takeReply } from './comment.ts'
import { showCommunities, showCommunity, showLeave, takeJoin, takeLeave } from './community.ts'
import { showMail, takeMail } from './mail.ts'
import { showModeration } from './moderation.ts'
import { showComment, showPost } from './post.ts'
import { showSpace, takeFollow, takeUnfollow } from './space.ts'
import { showWrite, takeWrite } from './write.ts'

const ID = '(\\d{1,15})'
const under = (path: string) => new RegExp(`^/members/${path}$`)

/** Pages of communities. */
export const communityRoutes: readonly Route[] = [
  forMembers(under('communities'), { show: showCommunities }),
  forReaders(under(`communities/${ID}`), { show: showCommunity }),
  forMembers(under(`communities/${ID}/join`), { take: takeJoin }),
  forMembers(under(`communities/${ID}/leave`), { show: showLeave, take: takeLeave }),
  forMembers(under(`communities/${ID}/mail`), { show: showMail, take: takeMail }),
  forMembers(under(`communities/${ID}/moderation`), { show: showModeration }),
  forMembers(under(`spaces/${ID}`), { show: showSpace }),
  forMembers(under(`spaces/${ID}/follow`), { take: takeFollow }),
  forMembers(under(`spaces/${ID}/unfollow`), { take: takeUnfollow }),
  forMembers(under(`spaces/${ID}/write`), { show: showWrite, take: takeWrite }),
  forReaders(under(`posts/${ID}`), { show: showPost }),
  forMembers(under(`posts/${ID}/comment`), { take: takeComment }),
  forReaders(under(`comments/${ID}`), { show: showComment }),
  forMembers(under(`comments/${ID}/reply`), { show: showReply, take: takeReply }),
  ...actRoutes,
]
