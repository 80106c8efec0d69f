// Resolves packages from this folder: files outside of it cannot load the frameworks that are installed here.
module.exports = { require, import: (name) => import(name) };
