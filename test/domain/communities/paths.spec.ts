import { community } from '../../../domain/communities/community/model.ts'
import { communities } from '../../../domain/communities/community/rules.ts'
import { ask, given } from '../../support/decider.ts'

describe('path of a community', () => {
  const { CommunityChanged } = community.event
  const moved = (current_path: string, former_paths: readonly string[]) =>
    CommunityChanged({ current_path, former_paths })
  const begun = { type: 'CommunityCreated', data: { name: 'Potters', current_path: '/potters' } }
  const change = (current_path: string) => ask('change', { current_path })

  it('15 84: stays its own when it gets another one, and is no former one once it is back', () => {
    given(communities, begun)
      .when(change('/clay'))
      .then(moved('/clay', ['/potters']))
    given(communities, begun, moved('/clay', ['/potters']))
      .when(change('mud'))
      .then(moved('/mud', ['/potters', '/clay']))
    given(communities, begun, moved('/clay', ['/potters']))
      .when(change('/potters'))
      .then(moved('/potters', ['/clay']))
    given(communities, begun).when(change('/potters')).thenNothing()
  })
})
