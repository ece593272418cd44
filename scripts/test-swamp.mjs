// The opt-in suite against a real swamp, given by SWAMP_BIN.
if (!process.env.SWAMP_BIN) {
  console.log(
    "swamp: skipped, no real swamp here (set SWAMP_BIN to its program)",
  );
  process.exit(0);
}
console.log(
  "swamp: skipped, the model that runs inside swamp is not built yet",
);
