// The entry of an installed Gantry. Every version of Node can read this file, so an old one prints what is missing.
var version = process.versions.node;
if (Number(version.split(".")[0]) < 24) {
  process.stderr.write(
    "gantry: Node 24 or newer is needed, and this is Node " + version + " (" + process.execPath + ").\n",
  );
  process.exit(3);
}
// As `--disable-warning=ExperimentalWarning`, which older versions refuse before they read this file.
var emitWarning = process.emitWarning;
process.emitWarning = function (warning, type) {
  if ((type && type.type ? type.type : type) !== "ExperimentalWarning") emitWarning.apply(process, arguments);
};
require("./main.js");
