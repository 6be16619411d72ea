import { answer } from '../sqlite/thread.ts'
import { StreamFolder, type StreamFolderData } from './stream-folder.ts'

answer<StreamFolderData, 'fold'>((data) => {
  let folder: StreamFolder | undefined
  return {
    answer: () => {
      // Not before: what fails here is told as an answer.
      folder ??= new StreamFolder(data)
      return folder.run()
    },
    close: () => folder?.close(),
  }
})
