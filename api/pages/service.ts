import type { MarkdownToHtml } from '../../domain/kernel/ports/markdown.ts'
import type { ReadModelStore, WatchedReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { LoaderDeps } from '../../projections/loading/loader.ts'
import type { Service } from '../service.ts'
import type { ThirdParty } from './rendering/context.ts'

/** Dependencies of hosted pages. */
export type PagesService = LoaderDeps &
  Pick<Service, 'everywhere' | 'engine' | 'ids' | 'now' | 'logger' | 'publicIds' | 'secrets'> & {
    /** The same read models, when they report their changes. Only then, or with `lastChanges`, are pages cached. */
    readonly watched?: WatchedReadModels | undefined
    /** Returns when collections of the read models last changed, where other processes change them too. */
    readonly lastChanges?: ReadModelStore['lastChanges'] | undefined
    /** Scheme, host and port of the SDK's listener as browsers reach it; `undefined` where there is none. */
    readonly sdkUrl: () => string | undefined
    /** Hosts of others that pages may load from. */
    readonly thirdParty: ReadonlySet<ThirdParty>
    readonly markdown: MarkdownToHtml
  }
