import { answer } from '../sqlite/thread.ts'
import { StreamFolder, type StreamFolderData } from './stream-folder.ts'

answer<StreamFolderData, 'fold'>((data) => {
  const folder = new StreamFolder(data)
  return { answer: () => folder.run(), close: () => folder.close() }
})
