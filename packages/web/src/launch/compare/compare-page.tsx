import { useSearchParams } from "wouter";
import { useWorkTreeChanges } from "../../lanes/use-lanes.ts";
import { client } from "../../store/connection/client.ts";
import { LoadError } from "../../ui/display/load-error.tsx";
import { View } from "../../ui/layout/view.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { ComparisonView } from "./comparison-view.tsx";

/** Compares any lanes of a repository: `/compare?lanes=a,b`. */
export default function ComparePage() {
  const [params] = useSearchParams();
  const lanes = params.get("lanes") ?? "";
  const { value, error, reload } = useQuery(lanes, () => client.call("compareLanes", { query: { lanes } }));
  useWorkTreeChanges(reload);
  return (
    <View title="Compare" wide>
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {!value && error === undefined && <p className="text-faint">Comparing…</p>}
      {value && <ComparisonView comparison={value} onChanged={reload} />}
    </View>
  );
}
