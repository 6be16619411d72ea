import {
  CaptureTag,
  CaseTag,
  type Context,
  type Emitter,
  evalToken,
  ForTag,
  type Liquid,
  TablerowTag,
  toValueSync,
} from 'liquidjs'
import { budgetOf, Output } from './rendering.ts'

/** `capture` within the budget, which otherwise counts only what goes into the mail. */
class CountedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = new Output(budgetOf(context))
    yield this.liquid.renderer.renderTemplates(this.templates, context, output)
    context.bottom()[this.variable] = output.buffer
  }
}

/** `case`, whose comparisons the library does not count. */
class CountedCase extends CaseTag {
  override render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const subject: unknown = toValueSync(this.value.value(context))
    for (const { values } of this.branches) for (const _ of values) budgetOf(context).handle(subject)
    return super.render(context, emitter)
  }
}

/** `for`, which copies its list. */
class CountedFor extends ForTag {
  override render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    budgetOf(context).handle(toValueSync(evalToken(this.collection, context)))
    return super.render(context, emitter)
  }
}

/** `tablerow`, which copies its list. */
class CountedTablerow extends TablerowTag {
  override render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    budgetOf(context).handle(toValueSync(evalToken(this.collection, context)))
    return super.render(context, emitter)
  }
}

/** Tags that read other templates. */
const FILES = ['include', 'render', 'layout', 'block']

/** Leaves an engine the tags that need nothing but the text and its values, within the budget. */
export const setTags = (engine: Liquid): void => {
  for (const name of FILES) delete engine.tags[name]
  engine.registerTag('capture', CountedCapture)
  engine.registerTag('case', CountedCase)
  engine.registerTag('for', CountedFor)
  engine.registerTag('tablerow', CountedTablerow)
}
