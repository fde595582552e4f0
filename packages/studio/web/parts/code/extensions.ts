import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState, type Extension } from '@codemirror/state'
import {
  Decoration,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { styleNonce } from '../../app/style-nonce.ts'

const tags = new MatchDecorator({
  regexp: /(?<!\\)\{\{[^{}]*\}\}/g,
  decoration: ([text = '']) => Decoration.mark({ class: /^\{\{[#/]|\{\{else/.test(text) ? 'tag block' : 'tag' }),
})

/** Marks `{{variables}}` and blocks. */
const highlight = ViewPlugin.define(
  (view) => ({
    decorations: tags.createDeco(view),
    update(update: ViewUpdate) {
      this.decorations = tags.updateDeco(update, this.decorations)
    },
  }),
  { decorations: ({ decorations }) => decorations },
)

/** What every view of a template has. */
export function templateView(label: string): Extension {
  return [
    EditorView.cspNonce.of(styleNonce()),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    lineNumbers(),
    highlight,
  ]
}

/** What an editor has besides. Tab goes on to the next control, as it does everywhere on a page. */
export const editing: Extension = [history(), keymap.of([...defaultKeymap, ...historyKeymap])]

export const reading: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)]
