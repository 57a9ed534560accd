import { spawnSync } from "node:child_process";
import { Json } from "./synth";

/** boto3 comes with the AWS simulator. */
const CALL = `
import boto3, json, sys
service, operation, parameters = sys.argv[1:]
answer = getattr(boto3.client(service), operation)(**json.loads(parameters))
json.dump(answer, sys.stdout, default=str)
`;

/** Calls an operation of AWS as boto3 names it, in an environment that has its endpoint. Whatever fails throws what AWS said. */
export function aws(env: NodeJS.ProcessEnv, service: string, operation: string, parameters: Json = {}): Json {
  const args = ["-c", CALL, service, operation, JSON.stringify(parameters)];
  const { status, stdout, stderr } = spawnSync("python3", args, { encoding: "utf8", env, maxBuffer: 2 ** 28 });
  if (status !== 0) {
    throw new Error(`${service} ${operation} ended with ${status}:\n${stderr}`);
  }
  return JSON.parse(stdout);
}
