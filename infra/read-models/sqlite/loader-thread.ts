import { answer } from '../../sqlite/thread.ts'
import { Loader, type LoaderData, type LoaderTask } from './loader.ts'

answer<LoaderData, LoaderTask>((data) => {
  let loader: Loader | undefined
  return {
    answer: (task) => {
      // Not before: what fails here is told as an answer.
      loader ??= new Loader(data)
      return loader.answer(task)
    },
    close: () => loader?.close(),
  }
})
