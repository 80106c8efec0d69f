/** `mime` of Express 3: media types by extension, to which an application can add some. §9.3 `res.type` */
import { extensions, types } from 'mime-types';
import { createMime, type Mime } from '../legacy/mime';

const usual = Object.entries(extensions).map(([type, names]) => [type, names[0]] as const);

export const mime: Mime = createMime(types, Object.fromEntries(usual), /^text\//);
