import { answer } from '../../../sqlite/thread.ts'
import { Loader, type LoaderData, type LoaderTask } from './loader.ts'

answer<LoaderData, LoaderTask>((data) => new Loader(data))
