import { videoEmbed } from '../../../domain/communities/public.ts'
import { filled } from '../../html/filled.ts'
import { type Html, html } from '../../html/html.ts'
import { playerOf } from '../../pages/rendering/player.ts'
import type { AtPost } from './access.ts'

const MOST_VIDEOS = 20

/** Videos of a post, and the origins of those that are shown in frames. */
export interface Videos {
  readonly shown: readonly Html[]
  readonly frames: readonly string[]
}

/** Shows the videos of a post: those of known providers in their players if the operator allows it, and links to all others. */
export const videosOf = async ({ read, post, words, request: { service } }: AtPost): Promise<Videos> => {
  const found = await read.find(videoEmbed, { where: { post_id: post.id }, limit: MOST_VIDEOS })
  const videos = found.map(({ url, provider }) => {
    const isFramed = provider !== null && service.thirdParty.has('videos')
    return { label: filled(words.video, { address: url }), url, player: isFramed ? playerOf(url)?.src : undefined }
  })
  return {
    shown: videos.map(({ label, url, player }) =>
      player === undefined
        ? html`<p><a href="${url}" rel="ugc nofollow noopener">${label}</a></p>`
        : html`<iframe src="${player}" title="${label}" loading="lazy" allow="fullscreen; picture-in-picture" allowfullscreen sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" referrerpolicy="strict-origin"></iframe>`,
    ),
    frames: [...new Set(videos.flatMap(({ player }) => (player === undefined ? [] : [new URL(player).origin])))],
  }
}
