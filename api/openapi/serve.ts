import { createRequire } from 'node:module'
import path from 'node:path'
import Router, { type RouterContext } from '@koa/router'
import send from 'koa-send'
import type { JsonObject } from '../../domain/kernel/event.ts'
import { originOf } from '../http/context.ts'
import { documentationLinks } from '../http/failures.ts'
import { PREFIX } from '../http/operate.ts'
import type { Route } from '../routes.ts'
import { openapiOf } from './document.ts'

const REFERENCE = `${PREFIX}/reference`
const ROOTS = ['/', '/api', PREFIX]
const ASSETS = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const YAML_TYPES = ['application/yaml', 'text/yaml', 'application/x-yaml', 'text/x-yaml', 'application/openapi+yaml']

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Millrace API</title>
    <link rel="stylesheet" href="${REFERENCE}/swagger-ui.css" />
  </head>
  <body>
    <div id="reference"></div>
    <script src="${REFERENCE}/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: '${PREFIX}.json', dom_id: '#reference', deepLinking: true, filter: true, docExpansion: 'none' })
    </script>
  </body>
</html>
`

type Form = 'json' | 'yaml'

const MOST_TEXTS = 32
const SPELLED: Readonly<Record<Form, (document: JsonObject) => string | Promise<string>>> = {
  json: (document) => JSON.stringify(document),
  // A start does not wait for what few ask for.
  yaml: async (document) => (await import('yaml')).stringify(document, { aliasDuplicateObjects: false }),
}

/** Serves the OpenAPI document as JSON and YAML (spec 1) and a page to browse it. Needs no token. */
export const openapiRouter = (routes: readonly Route[]): Router => {
  const router = new Router()
  const texts = new Map<string, string>()
  const textFor = async (origin: string, form: Form): Promise<string> => {
    const name = `${form} ${origin}`
    const known = texts.get(name)
    if (known !== undefined) return known
    const text = await SPELLED[form](openapiOf(routes, origin))
    if (texts.size < MOST_TEXTS) texts.set(name, text)
    return text
  }
  const answer = async (ctx: RouterContext, form: Form) => {
    ctx.set('Link', documentationLinks(originOf(ctx)))
    ctx.type = `application/${form}`
    ctx.body = await textFor(originOf(ctx), form)
  }
  for (const root of ROOTS) {
    const stem = root === '/' ? '/openapi' : root
    router.get(root, function serveNegotiated(ctx) {
      const accepted = ctx.accepts(['json', ...YAML_TYPES, 'html'])
      if (accepted === 'html') return ctx.redirect(REFERENCE)
      ctx.vary('Accept')
      return answer(ctx, accepted === 'json' || accepted === false ? 'json' : 'yaml')
    })
    router.get(`${stem}.json`, (ctx) => answer(ctx, 'json'))
    router.get(`${stem}.yaml`, (ctx) => answer(ctx, 'yaml'))
  }
  router.get(REFERENCE, function serveReference(ctx) {
    ctx.type = 'html'
    ctx.body = page
  })
  for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`${REFERENCE}/${asset}`, (ctx) => send(ctx, asset, { root: ASSETS, maxage: 86_400_000 }))
  }
  return router
}
