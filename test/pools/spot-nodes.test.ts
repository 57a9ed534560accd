import { EcrRepository } from "@cdktf/provider-aws/lib/ecr-repository";
import { GpuSharing, NodeTaint, TaintEffect, Workload } from "cdktf-elastic-gpu";
import { addSpot, ofBoth, SpotChoices, synthSpot, templateOf } from "../support/spot";
import { decodeUserData, Json, synth } from "../support/synth";

const groupsOf = (choices: SpotChoices = {}) => ofBoth(synthSpot(choices).json, "Resource");

/** The parts of the user data of both groups, the mixed one first. */
const partsOf = (choices: SpotChoices = {}) =>
  ofBoth(synthSpot(choices).json, "LaunchTemplate").map(({ user_data: userData }) => decodeUserData(userData));

/** What kubelets tell of themselves, in each group. */
const flagsOf = (choices: SpotChoices = {}) =>
  partsOf(choices).map(([config]) => JSON.parse(config!.body).spec.kubelet.flags as string[]);

describe("nodes of both groups", () => {
  test("differ in tier, market and one taint, in what kubelets say and in what the autoscaler reads", () => {
    const choices: SpotChoices = {
      workload: Workload.inference(),
      workloadTaint: TaintEffect.NO_SCHEDULE,
      labels: { team: "vision" },
      taints: [NodeTaint.noExecute("team", "vision")],
      sharing: GpuSharing.timeSlicing({ replicas: 4 }),
    };
    const pool = expect.stringMatching(/^test-pool-[0-9a-f]{8}$/);
    const common = {
      "label/node-tier": "spot",
      "label/pool": pool,
      "label/workload-type": "inference",
      "label/nvidia.com/gpu.present": "true",
      "label/nvidia.com/device-plugin.config": "time-slicing-4",
      "label/k8s.amazonaws.com/accelerator": "nvidia-l4",
      "label/team": "vision",
      "taint/nvidia.com/gpu": "present:NoSchedule",
      "taint/workload-type": "inference:NoSchedule",
      "taint/team": "vision:NoExecute",
      "resources/nvidia.com/gpu": "4",
      "resources/ephemeral-storage": "88Gi",
    };
    const [mixed, fallback] = groupsOf(choices).map(templateOf);
    expect(mixed).toEqual(common);
    expect(fallback).toEqual({
      ...common,
      "label/node-tier": "fallback",
      "label/node-lifecycle": "on-demand",
      "taint/node-tier": "fallback:PreferNoSchedule",
      "autoscaling-options/scaledownunneededtime": "5m0s",
    });
    expect(mixed!["label/pool"]).toBe(fallback!["label/pool"]);

    const written = (of: Record<string, string>, kind: string, separator: string) =>
      Object.entries(of)
        .filter(([key]) => key.startsWith(`${kind}/`))
        .map(([key, value]) => `${key.slice(kind.length + 1)}${separator}${value}`)
        .sort();
    const told = flagsOf(choices).map(([labels, taints]) => ({
      labels: labels!.replace("--node-labels=", "").split(",").sort(),
      taints: taints!.replace("--register-with-taints=", "").split(",").sort(),
    }));
    expect(told).toEqual(
      [mixed!, fallback!].map((of) => ({ labels: written(of, "label", "="), taints: written(of, "taint", "=") })),
    );
  });

  test("tell pods which pool they belong to by a label that the pool hands out as a node selector", () => {
    let selector = {};
    const { json } = synth((stack) => {
      selector = addSpot(stack).nodeSelector;
    });
    for (const group of ofBoth(json, "Resource")) {
      expect(selector).toEqual({ pool: templateOf(group)["label/pool"] });
    }
  });

  test("do not both ask the metadata service: a node of the mixed group alone finds out how it was bought", () => {
    const [mixed, fallback] = partsOf();
    expect(mixed!.map(({ contentType }) => contentType)).toEqual(["application/node.eks.aws", "text/x-shellscript"]);
    expect(mixed![1]!.body).toContain("meta-data/instance-life-cycle");
    expect(mixed![1]!.body).toContain("--node-labels=node-lifecycle=$market");
    expect(fallback!.map(({ contentType }) => contentType)).toEqual(["application/node.eks.aws"]);
  });

  test.each<[string, SpotChoices, string]>([
    ["all is Spot", { onDemandBase: 0, spotPercentage: 100 }, "spot"],
    ["all is On-Demand", { spotPercentage: 0 }, "on-demand"],
  ])("need not ask it where %s", (_, choices, market) => {
    expect(partsOf(choices).map((parts) => parts.length)).toEqual([1, 1]);
    const [mixed] = groupsOf(choices);
    expect(templateOf(mixed)["label/node-lifecycle"]).toBe(market);
    expect(flagsOf(choices)[0]![0]).toContain(`node-lifecycle=${market}`);
  });

  test("pull the images of the pool at boot", () => {
    const image = "123456789012.dkr.ecr.us-east-1.amazonaws.com/vllm:0.9.1";
    for (const parts of partsOf({ images: [image] })) {
      expect(parts.at(-1)!.body).toContain(`\n${image}\nLIST`);
    }
  });

  test("have the same user data in whichever order images, some of them tokens, are listed", () => {
    const order = (sort: (images: string[]) => string[]) => {
      const { json } = synth((stack) => {
        const [one, other] = ["one", "other"].map((id) => new EcrRepository(stack, id, { name: id }));
        const images = [
          () => "docker.io/vllm/vllm-openai:v0.9.1",
          () => `${one!.repositoryUrl}:1`,
          () => "123456789012.dkr.ecr.us-east-1.amazonaws.com/vllm:0.9.1",
          () => `${other!.repositoryUrl}:1`,
        ];
        const ids = sort(Object.keys(images));
        // Read in the order of the list, as a program does: each reading makes another token.
        addSpot(stack, { images: ids.map((id) => images[Number(id)]!()) });
      });
      return ofBoth(json, "LaunchTemplate").map(({ user_data: userData }) => userData as string);
    };
    const listed = order((ids) => ids);
    expect(listed[0]).toContain("aws_ecr_repository.other.repository_url");
    expect(order((ids) => ids.reverse())).toEqual(listed);
    expect(order(([first, ...others]) => [...others, first!])).toEqual(listed);
  });

  test("tag instances, volumes and network interfaces, and no Spot requests, with which groups cannot be made", () => {
    for (const { tag_specifications: specifications } of ofBoth(
      synthSpot({ tags: { team: "ml" } }).json,
      "LaunchTemplate",
    )) {
      expect(specifications.map((each: Json) => each.resource_type)).toEqual([
        "instance",
        "volume",
        "network-interface",
      ]);
      specifications.forEach((each: Json) => expect(each.tags.team).toBe("ml"));
    }
  });
});
