import { NodeTaint, TaintEffect } from "cdktf-elastic-gpu";

test.each([
  [NodeTaint.noSchedule("key", "value"), TaintEffect.NO_SCHEDULE, "NO_SCHEDULE", "value"],
  [NodeTaint.preferNoSchedule("key", "value"), TaintEffect.PREFER_NO_SCHEDULE, "PREFER_NO_SCHEDULE", "value"],
  [NodeTaint.noExecute("key"), TaintEffect.NO_EXECUTE, "NO_EXECUTE", ""],
])("a taint has its effect as Kubernetes and as EKS spell it (%#)", (taint, effect, eksEffect, value) => {
  expect(taint).toMatchObject({ key: "key", value, effect, _eksEffect: eksEffect });
});

test("a taint is recognized, and nothing else is", () => {
  expect(NodeTaint.isNodeTaint(NodeTaint.noSchedule("key"))).toBe(true);
  for (const other of [undefined, null, "key", { key: "key", value: "", effect: "NoSchedule" }]) {
    expect(NodeTaint.isNodeTaint(other)).toBe(false);
  }
});
