import { setTimeout } from "node:timers/promises";
import { TerraformOutput, TerraformStack } from "cdktf";
import {
  ClusterProviders,
  GpuCluster,
  Headroom,
  NodeTerminationHandler,
  SpotWithFallback,
  SpotWithFallbackProps,
  Workload,
} from "cdktf-elastic-gpu";
import { aws } from "../support/aws";
import { madeTooEarly, Need, removedTooLate } from "../support/order";
import { describeWhere, findSimulatedAws } from "../support/rig";
import { Deployment, Site } from "../support/site";
import { Json } from "../support/synth";
import { Watched } from "../support/terraform";

const GROUP = /^aws_autoscaling_group\./;
const HANDLER = /^helm_release\.handler_/;

const NEEDS: Need[] = [
  { who: "nodes", what: "rights", from: GROUP, to: /^aws_iam_role_policy_attachment\.inference_/ },
  { who: "nodes", what: "access to the cluster", from: GROUP, to: /^aws_eks_access_entry\.inference_/ },
  { who: "hooks", what: "groups", from: /^aws_autoscaling_lifecycle_hook\./, to: GROUP },
  { who: "the handler", what: "rights", from: HANDLER, to: /^aws_iam_role_policy\.handler_/ },
  { who: "the handler", what: "a role", from: HANDLER, to: /^aws_eks_pod_identity_association\.handler_/ },
  { who: "the handler", what: "its queue", from: HANDLER, to: /^aws_sqs_queue\.handler_Queue_/ },
];

/** One event of each kind that the handler reads, and others, with what EventBridge fills in left out. */
const READ = [
  ["aws.autoscaling", "EC2 Instance-terminate Lifecycle Action", {}],
  ["aws.ec2", "EC2 Spot Instance Interruption Warning", {}],
  ["aws.ec2", "EC2 Instance Rebalance Recommendation", {}],
  ["aws.ec2", "EC2 Instance State-change Notification", {}],
  ["aws.health", "AWS Health Event", { service: "EC2", eventTypeCategory: "scheduledChange" }],
] as const;
const NOT_READ = [
  ["aws.autoscaling", "EC2 Instance-launch Lifecycle Action", {}],
  ["aws.health", "AWS Health Event", { service: "EC2", eventTypeCategory: "issue" }],
  ["aws.health", "AWS Health Event", { service: "RDS", eventTypeCategory: "scheduledChange" }],
] as const;

describeWhere("Spot with a fallback, deployed", findSimulatedAws(), (simulated) => {
  let site: Site;
  let deployment: Deployment;
  let applied: Watched;
  let names: Json;

  /** Changes the pool, which then is as before where nothing is said. */
  function program(changes: Partial<SpotWithFallbackProps> = {}): void {
    deployment.program((stack: TerraformStack) => {
      const cluster = GpuCluster.fromAttributes(stack, "cluster", site.cluster);
      new ClusterProviders(stack, "providers", { cluster });
      const pool = new SpotWithFallback(stack, "inference", {
        cluster,
        instanceTypes: ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"],
        maxNodes: 20,
        workload: Workload.inference(),
        headroom: Headroom.nodes(1),
        ...changes,
      });
      const handler = new NodeTerminationHandler(stack, "handler", { cluster });
      const value = {
        mixed: pool.autoscalingGroupName,
        fallback: pool.fallbackGroup.autoscalingGroupName,
        topic: pool.notificationTopicArn,
        queue: handler.queueUrl,
      };
      new TerraformOutput(stack, "names", { value, staticId: true });
    });
  }

  const call = (service: string, operation: string, parameters?: Json): Json =>
    aws(site.env, service, operation, parameters);

  const group = (name: string): Json =>
    call("autoscaling", "describe_auto_scaling_groups", { AutoScalingGroupNames: [name] }).AutoScalingGroups[0];

  function instancesOf(name: string): Json[] {
    const InstanceIds = group(name).Instances.map((instance: Json) => instance.InstanceId);
    const { Reservations } = InstanceIds.length > 0 ? call("ec2", "describe_instances", { InstanceIds }) : {};
    return (Reservations ?? []).flatMap(({ Instances }: Json) => Instances);
  }

  /** How many instances of a group there are by how they were bought. */
  function bought(name: string): Json {
    const instances = instancesOf(name);
    const spot = instances.filter(({ InstanceLifecycle }) => InstanceLifecycle === "spot").length;
    return { onDemand: instances.length - spot, spot };
  }

  function policyOfFallback(type: string): Json {
    const { ScalingPolicies } = call("autoscaling", "describe_policies", {
      AutoScalingGroupName: names.fallback,
      PolicyTypes: [type],
    });
    expect(ScalingPolicies).toHaveLength(1);
    return ScalingPolicies[0];
  }

  function alarmsWith(action: string): string[] {
    const alarms: Json[] = call("cloudwatch", "describe_alarms").MetricAlarms;
    return alarms.filter(({ AlarmActions }) => AlarmActions.includes(action)).map(({ AlarmName }) => AlarmName);
  }

  const sound = (AlarmName: string, StateValue: string): Json =>
    call("cloudwatch", "set_alarm_state", { AlarmName, StateValue, StateReason: "drill" });

  function send(events: readonly (readonly [source: string, type: string, detail: Json])[]): void {
    const Entries = events.map(([Source, DetailType, detail]) => ({
      Source,
      DetailType,
      Detail: JSON.stringify(detail),
    }));
    expect(call("events", "put_events", { Entries }).FailedEntryCount).toBe(0);
  }

  function received(QueueUrl: string): string[] {
    const { Messages = [] } = call("sqs", "receive_message", { QueueUrl, MaxNumberOfMessages: 10 });
    return Messages.map(({ Body }: Json) => Body);
  }

  beforeAll(async () => {
    site = await Site.prepare(simulated);
    deployment = new Deployment(site);
  });
  afterAll(() => site?.stop());

  test("stands after one apply, and a second plan finds no difference", () => {
    program();
    applied = deployment.terraform.watch("apply");
    expect(applied.errors).toEqual([]);
    expect(deployment.terraform.planStatus()).toBe(0);
    names = deployment.terraform.outputs().names;
    expect(bought(names.mixed)).toEqual({ onDemand: 0, spot: 0 });
  });

  test.each(NEEDS)("is made with $what before $who", (need) => {
    expect(madeTooEarly(applied.steps, need)).toEqual([]);
  });

  test("has a hook on both groups that holds what goes until it is drained", () => {
    for (const AutoScalingGroupName of [names.mixed, names.fallback]) {
      const { LifecycleHooks } = call("autoscaling", "describe_lifecycle_hooks", { AutoScalingGroupName });
      expect(LifecycleHooks).toEqual([
        expect.objectContaining({
          LifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
          DefaultResult: "CONTINUE",
          HeartbeatTimeout: 300,
        }),
      ]);
    }
  });

  test("queues every event that the handler reads, and no other", () => {
    send([...READ, ...NOT_READ]);
    const types = received(names.queue).map((body) => JSON.parse(body)["detail-type"]);
    expect(types.sort()).toEqual(READ.map(([, type]) => type).sort());
  });

  test("stands at its On-Demand part while Spot cannot be had, and fills up when it can", async () => {
    await site.simulator.lack("spot:g6.*");
    call("autoscaling", "set_desired_capacity", { AutoScalingGroupName: names.mixed, DesiredCapacity: 10 });
    expect(bought(names.mixed)).toEqual({ onDemand: 4, spot: 0 });
    const { Activities } = call("autoscaling", "describe_scaling_activities", { AutoScalingGroupName: names.mixed });
    expect(Activities[0]).toMatchObject({ StatusCode: "Failed" });

    await site.simulator.lack();
    // A group whose launches failed tries again after 15 s.
    for (let second = 0; second < 60 && group(names.mixed).Instances.length < 10; second++) {
      await setTimeout(1000);
    }
    expect(bought(names.mixed)).toEqual({ onDemand: 4, spot: 6 });
  });

  test("raises the fallback by each alarm of a shortage, and by as many as are missing", () => {
    const raise = policyOfFallback("StepScaling").PolicyARN;
    const alarms = alarmsWith(raise);
    expect(alarms).toHaveLength(2);
    // The simulator does not evaluate: it runs the policy with the alarm's threshold, which is one that is missing.
    alarms.forEach((name, index) => {
      sound(name, "ALARM");
      expect(bought(names.fallback)).toEqual({ onDemand: index + 1, spot: 0 });
      sound(name, "OK");
    });
    call("autoscaling", "execute_policy", { PolicyName: raise, MetricValue: 6, BreachThreshold: 1 });
    expect(bought(names.fallback)).toEqual({ onDemand: 8, spot: 0 });
  });

  test("takes one of the fallback back by the alarm of the return", () => {
    const alarms = alarmsWith(policyOfFallback("SimpleScaling").PolicyARN);
    expect(alarms).toHaveLength(1);
    sound(alarms[0]!, "ALARM");
    expect(bought(names.fallback)).toEqual({ onDemand: 7, spot: 0 });
    expect(bought(names.mixed)).toEqual({ onDemand: 4, spot: 6 });
  });

  test("gives the instances of both groups the tag that the handler looks for", () => {
    for (const { Tags } of [...instancesOf(names.mixed), ...instancesOf(names.fallback)]) {
      expect(Tags).toContainEqual({ Key: "aws-node-termination-handler/prod", Value: "true" });
    }
  });

  test("tells its topic of a shortage and of its end", () => {
    const { QueueUrl } = call("sqs", "create_queue", { QueueName: "listener" });
    const { Attributes } = call("sqs", "get_queue_attributes", { QueueUrl, AttributeNames: ["QueueArn"] });
    const { SubscriptionArn } = call("sns", "subscribe", {
      TopicArn: names.topic,
      Protocol: "sqs",
      Endpoint: Attributes.QueueArn,
    });
    const [first] = alarmsWith(policyOfFallback("StepScaling").PolicyARN);
    sound(first!, "ALARM");
    sound(first!, "OK");
    expect(received(QueueUrl)).toEqual([
      expect.stringContaining(`${first} is ALARM`),
      expect.stringContaining(`${first} is OK`),
    ]);
    call("sns", "unsubscribe", { SubscriptionArn });
    call("sqs", "delete_queue", { QueueUrl });
  });

  test("changes its bounds, percentage and labels in place, and leaves sizes as they are", () => {
    program({ maxNodes: 30, spotPercentage: 50, labels: { team: "search" } });
    const { actions } = deployment.terraform.plan();
    expect(Object.values(actions).filter((action) => action.includes("delete"))).toEqual([]);
    const groups = Object.entries(actions).filter(([address]) => GROUP.test(address));
    expect(groups.map(([, action]) => action)).toEqual(["update", "update"]);
    deployment.terraform.apply();
    expect(deployment.terraform.planStatus()).toBe(0);
    expect(group(names.mixed)).toMatchObject({ MaxSize: 30, DesiredCapacity: 10 });
    expect(group(names.fallback)).toMatchObject({ MaxSize: 14, DesiredCapacity: 8 });
  });

  test("leaves nothing behind", async () => {
    expect(await site.leftovers()).not.toEqual({});
    const { errors, steps } = deployment.terraform.watch("destroy");
    expect(errors).toEqual([]);
    expect(NEEDS.flatMap((need) => removedTooLate(steps, need))).toEqual([]);
    expect(deployment.terraform.state()).toEqual([]);
    expect(await site.leftovers()).toEqual({});
  });
});
