// The packages of this folder, for programs elsewhere.
module.exports = { require, import: (name) => import(name) };
