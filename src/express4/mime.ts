/** The media types of Express 4 (mime 1.6): those of mime-types 3 with the differences listed here. E4-A4 */
import { extensions, types } from 'mime-types';
import { createMime, type Mime } from '../legacy/mime';
import { FORMER } from './lookup-type';

/** Further extensions whose type in mime 1.6 differs from mime-types 3, by their type in mime 1.6. */
const OTHER: Readonly<Record<string, readonly string[]>> = {
  'application/octet-stream': ['exe', 'dll', 'deb', 'dmg', 'iso', 'msi'],
  'application/pgp-signature': ['asc'],
  'application/vnd.ms-pki.stl': ['stl'],
  'application/vnd.ms-project': ['mpp'],
  'application/x-msmetafile': ['wmf', 'emf'],
  'application/x-rar-compressed': ['rar'],
  'application/x-tgif': ['obj'],
  'application/x-xliff+xml': ['xlf'],
  'image/x-icon': ['ico'],
  'image/x-pcx': ['pcx'],
  'model/x3d+binary': ['x3db'],
  'model/x3d+vrml': ['x3dv'],
  'text/hjson': ['hjson'],
};

/** Extensions that only mime-types 3 has. */
const UNKNOWN: readonly string[] = `
  1km 210 3mf adts age aml amlx amr appinstaller appx appxbundle atomdeleted avci avcs avif azv b16
  bary bdo blend bmml brush brushset bsp btf cdfx cjs cld cpl csl cwl dbf dcm dcmp ddf dds dib
  disposition-notification dng dpx drle drm dwd emotionml exp exr fbx fdt fits fo gdraw ged gform ggs
  gjam gmap gscript gsite heic heics heif heifs hej2 held ipynb its jaii jais jfif jhc jls jph jt jxl
  jxr jxra jxrs jxs jxsc jxsi jxss kdbx key ktx2 lgr lottie m2t m2ts m4b m4s maei mdx mht mhtml mpf
  msix msixbundle mtl musd mvt mxmf nq nt numbers obgx ogex one onea opus osm owl p21 pages provx pti
  pyo pyox rapd relo rsat rsheet rusd senmlx sensmlx shex sieve siv sls spdx step stp stpnc stpx stpxz
  stpz swidtag t38 tap td tfx toml trig ttml u3d u8dsn u8hdr u8mdn u8msg ubj uo usda usdz vds vdx vsdx
  vtf vtx wgsl wif wsc x_b x_t xav xca xcs xdcf xel xhtm xns xsf
`
  .trim()
  .split(/\s+/);

/** The default extension of a type, if mime 1.6 and mime-types 3 differ. */
const USUAL: Readonly<Record<string, string>> = {
  'application/mp4': 'mp4s',
  'application/pgp-signature': 'asc',
  'application/x-debian-package': 'udeb',
  'application/x-msdownload': 'com',
  'application/xslt+xml': 'xslt',
  'image/jpeg': 'jpeg',
  'image/tiff': 'tiff',
  'text/hjson': 'hjson',
  'text/markdown': 'markdown',
  'video/jpm': 'jpgm',
};

const known: Record<string, string> = { ...types, ...FORMER };
for (const name of UNKNOWN) delete known[name];
for (const [type, names] of Object.entries(OTHER)) for (const name of names) known[name] = type;

const usual: Record<string, string | undefined> = {};
for (const [type, names] of Object.entries(extensions)) {
  const name = names.find((each) => known[each] === type);
  if (name) usual[type] = name;
}
Object.assign(usual, USUAL);

export const mime: Mime = createMime(known, usual, /^text\/|^application\/(?:javascript|json)/);
