{{- define "dmarc-ledger.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name }}{{ end -}}
{{- end }}

{{/* Of all that belongs together; never changes. */}}
{{- define "dmarc-ledger.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dmarc-ledger.labels" -}}
{{ include "dmarc-ledger.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .Chart.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "dmarc-ledger.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "dmarc-ledger.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end -}}
{{- end }}

{{- define "dmarc-ledger.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end }}

{{- define "dmarc-ledger.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "dmarc-ledger.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Where the secrets are, as variables that name files. */}}
{{- define "dmarc-ledger.secretEnv" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/dmarc-ledger/database-url }
- { name: SECRET_KEY_FILE, value: /run/secrets/dmarc-ledger/secret-key }
{{- if eq .Values.queue "redis" }}
- { name: REDIS_URL_FILE, value: /run/secrets/dmarc-ledger/redis-url }
{{- end }}
{{- if .Values.reputation }}
- { name: ABUSEIPDB_API_KEY_FILE, value: /run/secrets/dmarc-ledger/abuseipdb-api-key }
{{- end }}
{{- if .Values.mail }}
- { name: SMTP_URL_FILE, value: /run/secrets/dmarc-ledger/smtp-url }
{{- end }}
{{- end }}

{{- define "dmarc-ledger.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 288 # 0440
    items:
      - { key: database-url, path: database-url }
      - { key: secret-key, path: secret-key }
      {{- if eq .Values.queue "redis" }}
      - { key: redis-url, path: redis-url }
      {{- end }}
      {{- if .Values.reputation }}
      - { key: abuseipdb-api-key, path: abuseipdb-api-key }
      {{- end }}
      {{- if .Values.mail }}
      - { key: smtp-url, path: smtp-url }
      {{- end }}
{{- end }}

{{/* A service of the image: its Deployment. Takes root, name, settings, args, ports. */}}
{{- define "dmarc-ledger.deployment" -}}
{{- $ := .root }}
{{- $scaled := or (dig "autoscaling" "enabled" false .settings) (dig "keda" "enabled" false .settings) }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "dmarc-ledger.name" $ }}-{{ .name }}
  labels:
    {{- include "dmarc-ledger.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  {{- if not $scaled }}
  replicas: {{ .settings.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "dmarc-ledger.selector" $ | nindent 6 }}
      app.kubernetes.io/component: {{ .name }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels:
        {{- include "dmarc-ledger.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ .name }}
      annotations:
        # a change of the configuration restarts the pods
        checksum/config: {{ include (print $.Template.BasePath "/configmap.yaml") $ | sha256sum }}
    spec:
      serviceAccountName: {{ include "dmarc-ledger.serviceAccount" $ }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 40
      {{- with $.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      securityContext:
        {{- include "dmarc-ledger.podSecurity" $ | nindent 8 }}
      containers:
        - name: {{ .name }}
          image: {{ include "dmarc-ledger.image" $ }}
          imagePullPolicy: {{ $.Values.image.pullPolicy }}
          args: {{ toJson .args }}
          securityContext:
            {{- include "dmarc-ledger.containerSecurity" $ | nindent 12 }}
          envFrom:
            - configMapRef: { name: {{ include "dmarc-ledger.name" $ }} }
            {{- with $.Values.extraEnvFrom }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          env:
            {{- include "dmarc-ledger.secretEnv" $ | nindent 12 }}
            {{- with $.Values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - { name: admin, containerPort: 9090 }
            {{- if .port }}
            - { name: http, containerPort: {{ .port }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /healthz, port: admin }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /healthz, port: admin }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: admin }
            periodSeconds: 5
            timeoutSeconds: 4
            failureThreshold: 3
          {{- if .port }}
          lifecycle:
            # until everybody knows that no request goes here any more
            preStop: { exec: { command: [node, -e, 'setTimeout(() => {}, 5000)'] } }
          {{- end }}
          resources:
            {{- toYaml .settings.resources | nindent 12 }}
          volumeMounts:
            - { name: secrets, mountPath: /run/secrets/dmarc-ledger, readOnly: true }
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /data }
      volumes:
        {{- include "dmarc-ledger.secretVolume" $ | nindent 8 }}
        - name: tmp
          emptyDir: {}
        - name: data
          {{- if $.Values.blobs.url }}
          emptyDir: {}
          {{- else }}
          persistentVolumeClaim:
            claimName: {{ $.Values.blobs.existingClaim | default (printf "%s-blobs" (include "dmarc-ledger.name" $)) }}
          {{- end }}
      {{- with .settings.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .settings.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if .settings.affinity }}
      affinity:
        {{- toYaml .settings.affinity | nindent 8 }}
      {{- else }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "dmarc-ledger.selector" $ | nindent 14 }}
              app.kubernetes.io/component: {{ .name }}
      {{- end }}
{{- end }}
